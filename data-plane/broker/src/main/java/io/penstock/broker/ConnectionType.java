package io.penstock.broker;

/** How a connection reached the server; users may be bound to some of these. The names are those of user claims. */
public enum ConnectionType {
    STANDARD("nats"),
    WEBSOCKET("websocket"),
    LEAFNODE("nats"),
    LEAFNODE_WS("websocket"),
    MQTT("mqtt"),
    MQTT_WS("mqtt"),
    IN_PROCESS("nats");

    private final String clientType;

    ConnectionType(String clientType) {
        this.clientType = clientType;
    }

    /** The short form of connection lists and events: {@code nats}, {@code websocket} or {@code mqtt}. */
    public String clientType() {
        return clientType;
    }
}
