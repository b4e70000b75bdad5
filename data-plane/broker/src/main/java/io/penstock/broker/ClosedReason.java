package io.penstock.broker;

/** Why a connection ended. The text is shown by the monitoring pages and in disconnect events. */
public enum ClosedReason {
    CLIENT_CLOSED("Client Closed"),
    AUTHENTICATION_TIMEOUT("Authentication Timeout"),
    AUTHENTICATION_FAILURE("Authentication Failure"),
    TLS_HANDSHAKE_FAILURE("TLS Handshake Failure"),
    SLOW_CONSUMER_PENDING_BYTES("Slow Consumer (Pending Bytes)"),
    SLOW_CONSUMER_WRITE_DEADLINE("Slow Consumer (Write Deadline)"),
    WRITE_ERROR("Write Error"),
    READ_ERROR("Read Error"),
    PARSE_ERROR("Parse Error"),
    STALE_CONNECTION("Stale Connection"),
    PROTOCOL_VIOLATION("Protocol Violation"),
    BAD_CLIENT_PROTOCOL_VERSION("Bad Client Protocol Version"),
    INCORRECT_PORT("Incorrect Port"),
    MAX_CONNECTIONS_EXCEEDED("Maximum Connections Exceeded"),
    MAX_ACCOUNT_CONNECTIONS_EXCEEDED("Maximum Account Connections Exceeded"),
    MAX_PAYLOAD_EXCEEDED("Maximum Message Payload Exceeded"),
    MAX_CONTROL_LINE_EXCEEDED("Maximum Control Line Exceeded"),
    MAX_SUBSCRIPTIONS_EXCEEDED("Maximum Subscriptions Exceeded"),
    DUPLICATE_ROUTE("Duplicate Route"),
    ROUTE_REMOVED("Route Removed"),
    SERVER_SHUTDOWN("Server Shutdown"),
    AUTHENTICATION_EXPIRED("Authentication Expired"),
    WRONG_GATEWAY("Wrong Gateway"),
    MISSING_ACCOUNT("Missing Account"),
    REVOKED("Credentials Revoked"),
    INTERNAL_CLIENT("Internal Client"),
    HEADER_VIOLATION("Message Header Violation"),
    NO_RESPONDERS_REQUIRES_HEADERS("No Responders Requires Headers"),
    CLUSTER_NAME_CONFLICT("Cluster Name Conflict"),
    DUPLICATE_REMOTE_LEAF_NODE("Duplicate Remote LeafNode Connection"),
    DUPLICATE_CLIENT_ID("Duplicate Client ID"),
    DUPLICATE_SERVER_NAME("Duplicate Server Name"),
    MINIMUM_VERSION_REQUIRED("Minimum Version Required"),
    CLUSTER_NAMES_IDENTICAL("Cluster Names Identical"),
    KICKED("Kicked"),
    PROXY_NOT_TRUSTED("Proxy Not Trusted"),
    PROXY_REQUIRED("Proxy Required");

    private final String text;

    ClosedReason(String text) {
        this.text = text;
    }

    public String text() {
        return text;
    }

    @Override
    public String toString() {
        return text;
    }
}
