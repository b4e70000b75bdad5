package io.penstock.broker.system;

/** A question that cannot be answered, as the asker reads it. */
public final class SystemRequestException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int code;

    /** @param code like those of HTTP: 400, 404, 500 … */
    public SystemRequestException(int code, String description) {
        super(description);
        this.code = code;
    }

    /** For another server to answer: who asks hears nothing from this one. */
    public static SystemRequestException elsewhere(String description) {
        return new SystemRequestException(0, description);
    }

    /** Whether another server answers. */
    boolean isElsewhere() {
        return code == 0;
    }

    public int code() {
        return code;
    }
}
