package io.penstock.controlplane.signup;

/** How far a sign-up has got. */
enum SignupState {
    /** The identity provider is being asked; nothing was sent yet. */
    PREPARING,
    /** The mail is out; code and link are awaited. */
    PENDING,
    /** The address has an account already; its owner got a mail that says so, and no code ever fits. */
    KNOWN,
    /** Code or link came; the user can sign in. */
    VERIFIED,
    /** A newer sign-up for the same address took its place. */
    SUPERSEDED,
    /** The identity provider could not make the user; start again. */
    FAILED
}
