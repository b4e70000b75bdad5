package io.penstock.broker.auth;

import io.penstock.claims.NKeyVerifier;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Checks that a client holds the seed of a public key: it has signed the nonce of its connection. */
final class NonceSignature {
    private NonceSignature() {}

    /**
     * Requires a valid signature.
     *
     * @param nonce the text sent in INFO, whose bytes are signed as they stand
     * @param signature base64, of the URL form without padding or of the standard form
     */
    static void require(String publicKey, String nonce, String signature) throws RefusedException {
        if (signature == null || signature.isEmpty()) {
            throw new RefusedException("signature missing for " + publicKey);
        }
        if (nonce == null) {
            throw new RefusedException("no nonce was sent, so nothing can have been signed by " + publicKey);
        }
        if (!NKeyVerifier.verify(publicKey, nonce.getBytes(StandardCharsets.US_ASCII), decode(signature))) {
            throw new RefusedException("signature of the nonce does not verify for " + publicKey);
        }
    }

    private static byte[] decode(String signature) throws RefusedException {
        try {
            return Base64.getUrlDecoder().decode(signature);
        } catch (IllegalArgumentException e) {
            try {
                return Base64.getDecoder().decode(signature);
            } catch (IllegalArgumentException again) {
                throw new RefusedException("signature is not base64");
            }
        }
    }
}
