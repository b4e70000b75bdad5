package io.penstock.broker.auth;

import at.favre.lib.crypto.bcrypt.BCrypt;
import at.favre.lib.crypto.bcrypt.LongPasswordStrategies;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Compares what a client sent with a configured password or token, in time that does not tell how much was right. */
public final class Secrets {
    // Other implementations look at no more than 72 bytes of a password; refusing longer ones would lock users out.
    private static final BCrypt.Verifyer VERIFIER =
            BCrypt.verifyer(null, LongPasswordStrategies.truncate(BCrypt.Version.VERSION_2A));

    private Secrets() {}

    /** Whether the configured secret is a bcrypt hash: comparing then costs tens of milliseconds or more. */
    public static boolean isHashed(String configured) {
        return configured.startsWith("$2a$") || configured.startsWith("$2b$") || configured.startsWith("$2y$");
    }

    public static boolean matches(String configured, String given) {
        byte[] candidate = given == null ? new byte[0] : given.getBytes(StandardCharsets.UTF_8);
        byte[] expected = configured.getBytes(StandardCharsets.UTF_8);
        if (isHashed(configured)) {
            return VERIFIER.verify(candidate, expected).verified;
        }
        // Digests have one length, so not even the length of the secret shows in the time.
        return MessageDigest.isEqual(sha256(candidate), sha256(expected));
    }

    /**
     * Takes the time {@link #matches} takes. For users that do not exist, so that names cannot be guessed with a clock.
     */
    static void spendTime(String configured, String given) {
        boolean _ = matches(configured, given);
    }

    private static byte[] sha256(byte[] input) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(input);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
