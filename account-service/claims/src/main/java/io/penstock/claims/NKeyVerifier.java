package io.penstock.claims;

import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.Signature;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Verifies signatures of nkeys. Decoding a point costs as much as a good part of the verification, so key objects
 * are kept: two generations of at most {@value #GENERATION_SIZE} keys each, the older one dropped when the younger
 * is full. Safe from any thread.
 */
public final class NKeyVerifier {
    /** Keys a generation holds. */
    static final int GENERATION_SIZE = 4096;

    private static final int SIGNATURE_LENGTH = 64;

    private static volatile ConcurrentHashMap<String, PublicKey> young = new ConcurrentHashMap<>();
    private static volatile ConcurrentHashMap<String, PublicKey> old = new ConcurrentHashMap<>();

    private NKeyVerifier() {}

    /** Whether the signature of the data was made by this public key; false too for a text that is no signing key. */
    public static boolean verify(String publicKey, byte[] data, byte[] signature) {
        if (signature.length != SIGNATURE_LENGTH) {
            return false;
        }
        try {
            PublicKey key = keyOf(publicKey);
            if (key == null) {
                return false;
            }
            Signature verifier = Signature.getInstance("Ed25519");
            verifier.initVerify(key);
            verifier.update(data);
            return verifier.verify(signature);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    private static PublicKey keyOf(String publicKey) throws GeneralSecurityException {
        PublicKey cached = young.get(publicKey);
        if (cached != null) {
            return cached;
        }
        cached = old.get(publicKey);
        if (cached == null) {
            if (!NKeys.isPublicKey(publicKey) || NKeys.typeOf(publicKey) == KeyType.CURVE) {
                return null;
            }
            cached = Ed25519Keys.publicKey(NKeys.rawPublicKey(publicKey));
        }
        remember(publicKey, cached);
        return cached;
    }

    private static void remember(String publicKey, PublicKey key) {
        if (young.size() >= GENERATION_SIZE) {
            old = young;
            young = new ConcurrentHashMap<>();
        }
        young.put(publicKey, key);
    }
}
