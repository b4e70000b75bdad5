package io.penstock.claims;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.HexFormat;

/** Raw Ed25519 public keys to and from the JDK's objects: X.509 is a fixed prefix before the 32 bytes. */
final class Ed25519Keys {
    private static final byte[] X509_PREFIX = HexFormat.of().parseHex("302a300506032b6570032100");

    private Ed25519Keys() {}

    static PublicKey publicKey(byte[] raw) throws GeneralSecurityException {
        byte[] encoded = Arrays.copyOf(X509_PREFIX, X509_PREFIX.length + raw.length);
        System.arraycopy(raw, 0, encoded, X509_PREFIX.length, raw.length);
        return KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(encoded));
    }

    static byte[] raw(PublicKey key) {
        byte[] encoded = key.getEncoded();
        return Arrays.copyOfRange(encoded, encoded.length - NKeys.RAW_LENGTH, encoded.length);
    }
}
