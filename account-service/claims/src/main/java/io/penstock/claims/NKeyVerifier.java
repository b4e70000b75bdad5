package io.penstock.claims;

import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.Signature;

/**
 * Verifies signatures of nkeys. Decoding a point costs a good part of a verification, so decoded keys are kept. Safe from any
 * thread.
 */
public final class NKeyVerifier {
    private static final int SIGNATURE_LENGTH = 64;
    private static final PublicKeyCache CACHE = new PublicKeyCache(4096);

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
        PublicKey key = CACHE.get(publicKey);
        if (key == null && NKeys.isPublicKey(publicKey) && NKeys.typeOf(publicKey) != KeyType.CURVE) {
            key = Ed25519Keys.publicKey(NKeys.rawPublicKey(publicKey));
            CACHE.put(publicKey, key);
        }
        return key;
    }
}
