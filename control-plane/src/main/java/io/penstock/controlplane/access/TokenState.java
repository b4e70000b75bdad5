package io.penstock.controlplane.access;

/** Whether a token works. */
enum TokenState {
    /** It works. */
    ACTIVE,
    /** Switched off, and can be switched on again. */
    DISABLED,
    /** Its time is over; a rotation gives it a new one. */
    EXPIRED,
    /** Ended for good. */
    REVOKED;

    String code() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
