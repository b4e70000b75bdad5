package io.penstock.accountservice.custody;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * AES-256-GCM with a random nonce, bound to a context.
 *
 * <pre>
 * magic "PST1" (4) · nonce (12) · ciphertext · tag (16)      associated data = magic · context in UTF-8
 * </pre>
 */
final class Envelope {
    static final int KEY_LENGTH = 32;

    private static final byte[] MAGIC = "PST1".getBytes(StandardCharsets.US_ASCII);
    private static final int NONCE_LENGTH = 12;
    private static final int TAG_LENGTH = 16;

    private Envelope() {}

    /** The plaintext stays the caller's to wipe. */
    static byte[] seal(byte[] key, String context, byte[] plaintext, SecureRandom random) {
        byte[] nonce = new byte[NONCE_LENGTH];
        random.nextBytes(nonce);
        try {
            byte[] sealed = cipher(Cipher.ENCRYPT_MODE, key, nonce, context).doFinal(plaintext);
            return ByteBuffer.allocate(MAGIC.length + NONCE_LENGTH + sealed.length)
                    .put(MAGIC)
                    .put(nonce)
                    .put(sealed)
                    .array();
        } catch (GeneralSecurityException e) {
            throw new VaultException("sealing " + context + " failed", e);
        }
    }

    /** The plaintext, for the caller to wipe. Fails for another key, another context or a changed byte. */
    static byte[] open(byte[] key, String context, byte[] envelope) {
        int head = MAGIC.length + NONCE_LENGTH;
        if (envelope.length < head + TAG_LENGTH || !Arrays.equals(MAGIC, Arrays.copyOf(envelope, MAGIC.length))) {
            throw new VaultException("the envelope of " + context + " is damaged: it has no valid head");
        }
        byte[] nonce = Arrays.copyOfRange(envelope, MAGIC.length, head);
        try {
            return cipher(Cipher.DECRYPT_MODE, key, nonce, context).doFinal(envelope, head, envelope.length - head);
        } catch (GeneralSecurityException e) {
            throw new VaultException(
                    "the envelope of " + context + " does not open: wrong key, moved from another place, or damaged",
                    e);
        }
    }

    private static Cipher cipher(int mode, byte[] key, byte[] nonce, String context) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, new SecretKeySpec(key, "AES"), new GCMParameterSpec(TAG_LENGTH * 8, nonce));
        cipher.updateAAD(MAGIC);
        cipher.updateAAD(context.getBytes(StandardCharsets.UTF_8));
        return cipher;
    }
}
