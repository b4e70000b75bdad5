package io.penstock.accountservice.sync;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Hashes of tokens, by which the service's and the nodes' copies are compared. */
public final class Tokens {
    private Tokens() {}

    /** SHA-256 in hex. */
    public static String hash(String jwt) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(jwt.getBytes(StandardCharsets.US_ASCII));
            return HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this JDK offers no SHA-256", e);
        }
    }
}
