package io.penstock.claims;

import java.util.Arrays;

/** Base32 of RFC 4648 without padding, on byte arrays so that seeds never become strings. */
final class Base32 {
    private static final byte[] ALPHABET = {
        'A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J', 'K', 'L', 'M', 'N', 'O', 'P', 'Q', 'R', 'S', 'T', 'U', 'V',
        'W', 'X', 'Y', 'Z', '2', '3', '4', '5', '6', '7'
    };
    private static final byte[] VALUES = new byte[128];

    static {
        Arrays.fill(VALUES, (byte) -1);
        for (int i = 0; i < ALPHABET.length; i++) {
            VALUES[ALPHABET[i]] = (byte) i;
        }
    }

    private Base32() {}

    static byte[] encode(byte[] data) {
        byte[] text = new byte[(data.length * 8 + 4) / 5];
        int buffer = 0;
        int bits = 0;
        int out = 0;
        for (byte b : data) {
            buffer = (buffer << 8) | (b & 0xff);
            bits += 8;
            while (bits >= 5) {
                bits -= 5;
                text[out++] = ALPHABET[(buffer >> bits) & 31];
            }
        }
        if (bits > 0) {
            text[out] = ALPHABET[(buffer << (5 - bits)) & 31];
        }
        return text;
    }

    /** The bytes, or null when the text is not base32 in its one canonical spelling. */
    static byte[] decode(byte[] text) {
        byte[] data = new byte[text.length * 5 / 8];
        int buffer = 0;
        int bits = 0;
        int out = 0;
        for (byte b : text) {
            int value = b < 0 ? -1 : VALUES[b];
            if (value < 0) {
                return null;
            }
            buffer = (buffer << 5) | value;
            bits += 5;
            if (bits >= 8) {
                bits -= 8;
                data[out++] = (byte) (buffer >> bits);
            }
        }
        // Left-over bits that are not zero would make two texts of one key.
        boolean canonical = bits < 5 && (buffer & ((1 << bits) - 1)) == 0;
        return canonical ? data : null;
    }
}
