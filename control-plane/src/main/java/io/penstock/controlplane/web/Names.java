package io.penstock.controlplane.web;

/** What names look like. */
public final class Names {
    /** Projects, accounts, signing-key groups. */
    public static final String SLUG = "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?";

    public static final String SLUG_RULE = "1 to 63 of a-z, 0-9 and -, with no - at the ends";

    /** Users of an account. */
    public static final String USER = "[A-Za-z0-9]([A-Za-z0-9._@-]{0,61}[A-Za-z0-9])?";

    public static final String USER_RULE = "1 to 63 letters, digits and . _ @ -, with a letter or digit at both ends";

    /** Streams and consumers. */
    public static final String BROKER = "[A-Za-z0-9_-]{1,255}";

    public static final String BROKER_RULE = "1 to 255 letters, digits, _ and -";

    /** A public user nkey. */
    public static final String USER_KEY = "U[A-Z2-7]{55}";

    public static final String USER_KEY_RULE = "a public user nkey: U and 55 more characters";

    private Names() {}
}
