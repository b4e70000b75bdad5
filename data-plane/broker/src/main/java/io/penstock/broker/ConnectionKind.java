package io.penstock.broker;

/** What is at the other end; the text is the one events and connection lists show. */
public enum ConnectionKind {
    CLIENT("Client"),
    ROUTER("Router"),
    GATEWAY("Gateway"),
    LEAF("Leafnode"),
    SYSTEM("System"),
    JETSTREAM("JetStream"),
    ACCOUNT("Account");

    private final String text;

    ConnectionKind(String text) {
        this.text = text;
    }

    public String text() {
        return text;
    }
}
