package io.penstock.controlplane.access;

/** How an invitation stands. */
enum InvitationState {
    /** The mail is out. */
    PENDING,
    /** The person is a member. */
    ACCEPTED,
    /** It was taken back. */
    REVOKED,
    /** Nobody came in time; sending it again revives it. Follows from the time, never stored. */
    EXPIRED;

    String code() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
