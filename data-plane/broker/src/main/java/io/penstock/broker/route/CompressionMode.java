package io.penstock.broker.route;

/** What a node wants of the compression of its routes; the text is that of the configuration. */
public enum CompressionMode {
    /** Never. */
    OFF("off"),
    /** Whatever the other side asks for. */
    ACCEPT("accept"),
    /** Always. */
    FAST("s2_fast"),
    /** When the round trip takes 10 ms or more. */
    AUTO("s2_auto");

    private final String text;

    CompressionMode(String text) {
        this.text = text;
    }

    public String text() {
        return text;
    }

    /** The mode of this text; {@link #OFF} for null and for what is not known. */
    public static CompressionMode of(String text) {
        for (CompressionMode mode : values()) {
            if (mode.text.equals(text)) {
                return mode;
            }
        }
        return OFF;
    }

    /** What both sides do when one wants this and the other {@code theirs}; never {@link #ACCEPT}. */
    public CompressionMode with(CompressionMode theirs) {
        if (this == OFF || theirs == OFF || (this == ACCEPT && theirs == ACCEPT)) {
            return OFF;
        }
        if (this == ACCEPT) {
            return theirs == AUTO ? FAST : theirs;
        }
        return this;
    }
}
