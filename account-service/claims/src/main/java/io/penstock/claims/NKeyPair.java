package io.penstock.claims;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.spec.EdECPrivateKeySpec;
import java.security.spec.NamedParameterSpec;
import java.util.Arrays;

/**
 * An Ed25519 key pair with its seed. Safe to use from several threads until closed.
 *
 * <p>{@link #close} wipes the seed kept here and drops the key object, after which signing fails. The JDK's key
 * object holds a copy of its own that only the collector removes: keep pairs short-lived.
 */
public final class NKeyPair implements NKeySigner, AutoCloseable {
    private final KeyType type;
    private final String publicKey;
    private final byte[] rawSeed;
    private volatile PrivateKey privateKey;

    private NKeyPair(KeyType type, byte[] rawSeed) {
        if (type == KeyType.CURVE) {
            throw new NKeyException("a curve key (SX…) seals boxes and does not sign");
        }
        this.type = type;
        this.rawSeed = rawSeed;
        try {
            this.privateKey = KeyFactory.getInstance("Ed25519")
                    .generatePrivate(new EdECPrivateKeySpec(NamedParameterSpec.ED25519, rawSeed));
            this.publicKey = NKeys.encodePublicKey(type, derivePublic(rawSeed));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK offers no Ed25519", e);
        }
    }

    /** A new pair from 32 random bytes. */
    public static NKeyPair generate(KeyType type, SecureRandom random) {
        byte[] raw = new byte[NKeys.RAW_LENGTH];
        random.nextBytes(raw);
        return new NKeyPair(type, raw);
    }

    /** The pair of a seed's text in ASCII bytes, which stay the caller's to wipe. */
    public static NKeyPair fromSeed(byte[] seedText) {
        return new NKeyPair(NKeys.seedType(seedText), NKeys.rawSeed(seedText));
    }

    /** The pair of a seed's text, which stays the caller's to wipe. */
    public static NKeyPair fromSeed(char[] seedText) {
        byte[] text = new byte[seedText.length];
        for (int i = 0; i < text.length; i++) {
            text[i] = (byte) (seedText[i] < 128 ? seedText[i] : 0);
        }
        try {
            return fromSeed(text);
        } finally {
            Arrays.fill(text, (byte) 0);
        }
    }

    public KeyType type() {
        return type;
    }

    @Override
    public String publicKey() {
        return publicKey;
    }

    /** The seed's text in ASCII bytes; the caller wipes them. */
    public byte[] seed() {
        requireOpen();
        return NKeys.encodeSeed(type, rawSeed);
    }

    @Override
    public byte[] sign(byte[] data) {
        try {
            Signature signature = Signature.getInstance("Ed25519");
            signature.initSign(requireOpen());
            signature.update(data);
            return signature.sign();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Ed25519 signing failed for " + publicKey, e);
        }
    }

    @Override
    public void close() {
        privateKey = null;
        Arrays.fill(rawSeed, (byte) 0);
    }

    /** Only the public key: a pair may end up in a log line. */
    @Override
    public String toString() {
        return "NKeyPair[" + publicKey + "]";
    }

    private PrivateKey requireOpen() {
        PrivateKey key = privateKey;
        if (key == null) {
            throw new IllegalStateException("the key pair of " + publicKey + " is closed");
        }
        return key;
    }

    // The JDK derives a public key only while generating; a generator fed with the seed generates this very pair.
    private static byte[] derivePublic(byte[] rawSeed) throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("Ed25519");
        generator.initialize(NamedParameterSpec.ED25519, new SeedAsRandom(rawSeed));
        return Ed25519Keys.raw(generator.generateKeyPair().getPublic());
    }

    private static final class SeedAsRandom extends SecureRandom {
        private static final long serialVersionUID = 1L;
        private final transient byte[] seed;

        SeedAsRandom(byte[] seed) {
            super(null, null);
            this.seed = seed;
        }

        @Override
        public void nextBytes(byte[] bytes) {
            System.arraycopy(seed, 0, bytes, 0, bytes.length);
        }
    }
}
