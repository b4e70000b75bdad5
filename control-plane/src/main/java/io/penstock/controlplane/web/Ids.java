package io.penstock.controlplane.web;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.security.SecureRandom;
import java.time.Clock;

/** Makes ids: a prefix that names the kind and a ULID, so that ids sort by the time they were made. Thread-safe. */
@Singleton
public class Ids {
    private static final char[] ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ".toCharArray();

    private final Clock clock;
    private final SecureRandom random = new SecureRandom();

    @Inject
    public Ids(Clock clock) {
        this.clock = clock;
    }

    public String next(String prefix) {
        byte[] entropy = new byte[10];
        random.nextBytes(entropy);
        return prefix + "_" + ulid(clock.millis(), entropy);
    }

    /** 48 bits of milliseconds and 80 of entropy in 26 characters of Crockford's alphabet. */
    static String ulid(long millis, byte[] entropy) {
        char[] out = new char[26];
        for (int i = 0; i < 10; i++) {
            out[i] = ALPHABET[(int) (millis >>> (45 - 5 * i)) & 31];
        }
        long high = 0;
        long low = 0;
        for (int i = 0; i < 5; i++) {
            high = high << 8 | (entropy[i] & 0xff);
            low = low << 8 | (entropy[i + 5] & 0xff);
        }
        for (int i = 0; i < 8; i++) {
            out[10 + i] = ALPHABET[(int) (high >>> (35 - 5 * i)) & 31];
            out[18 + i] = ALPHABET[(int) (low >>> (35 - 5 * i)) & 31];
        }
        return new String(out);
    }
}
