package io.penstock.claims;

/** What is shared between accounts. */
public enum ShareKind {
    /** Messages flow from exporter to importers. */
    STREAM("stream"),
    /** Requests flow from importers to exporter, answers back. */
    SERVICE("service"),
    /** Something this version does not know; refused by validation. */
    UNKNOWN("unknown");

    private final String text;

    ShareKind(String text) {
        this.text = text;
    }

    /** The word in the token. */
    public String text() {
        return text;
    }

    static ShareKind of(String text) {
        return switch (text) {
            case "stream" -> STREAM;
            case "service" -> SERVICE;
            default -> UNKNOWN;
        };
    }
}
