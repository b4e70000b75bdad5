package io.penstock.broker.internal;

import java.security.SecureRandom;

/** Unique names of events: 22 characters, too many to repeat. */
public final class EventIds {
    private static final char[] ALPHABET =
            "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".toCharArray();
    private static final int LENGTH = 22;
    private static final SecureRandom RANDOM = new SecureRandom();

    private EventIds() {}

    /** A new one. */
    public static String next() {
        char[] id = new char[LENGTH];
        for (int i = 0; i < LENGTH; i++) {
            id[i] = ALPHABET[RANDOM.nextInt(ALPHABET.length)];
        }
        return new String(id);
    }
}
