package io.penstock.claims;

/** What an nkey identifies; its prefix gives the first letter of the text form. */
public enum KeyType {
    /** A server (node), `N…`. */
    SERVER('N', 13),
    /** A cluster, `C…`. */
    CLUSTER('C', 2),
    /** An operator or one of its signing keys, `O…`. */
    OPERATOR('O', 14),
    /** An account or one of its signing keys, `A…`. */
    ACCOUNT('A', 0),
    /** A user, `U…`. */
    USER('U', 20),
    /** An X25519 key for sealed boxes, `X…`; it does not sign. */
    CURVE('X', 23);

    private final char letter;
    private final int prefix;

    KeyType(char letter, int index) {
        this.letter = letter;
        this.prefix = index << 3;
    }

    /** First letter of a public key of this type. */
    public char letter() {
        return letter;
    }

    /** Prefix byte of the binary form, 0 to 255. */
    int prefix() {
        return prefix;
    }

    /** The type with this prefix byte, or null when there is none. */
    static KeyType ofPrefix(int prefix) {
        return switch (prefix) {
            case 13 << 3 -> SERVER;
            case 2 << 3 -> CLUSTER;
            case 14 << 3 -> OPERATOR;
            case 0 -> ACCOUNT;
            case 20 << 3 -> USER;
            case 23 << 3 -> CURVE;
            default -> null;
        };
    }
}
