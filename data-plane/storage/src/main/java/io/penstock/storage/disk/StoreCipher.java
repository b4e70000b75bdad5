package io.penstock.storage.disk;

import java.security.GeneralSecurityException;
import java.security.Key;
import javax.crypto.Cipher;
import javax.crypto.spec.ChaCha20ParameterSpec;
import javax.crypto.spec.IvParameterSpec;

/** A cipher whose key stream can be entered at any byte of a file. Names as in {@code jetstream { cipher: … }}. */
public enum StoreCipher {
    /** AES-256 in counter mode; what the processor does in hardware. */
    AES(0, "AES", 16) {
        @Override
        Cipher begin(Key key, long block) throws GeneralSecurityException {
            byte[] counter = new byte[16];
            for (int i = 0; i < Long.BYTES; i++) {
                counter[15 - i] = (byte) (block >>> (8 * i));
            }
            Cipher cipher = Own.AES.get();
            cipher.init(Cipher.ENCRYPT_MODE, key, new IvParameterSpec(counter));
            return cipher;
        }
    },

    /** ChaCha20; for processors without AES. Files of at most 128 GiB. */
    CHACHA(1, "ChaCha20", 64) {
        @Override
        Cipher begin(Key key, long block) throws GeneralSecurityException {
            if (block > Integer.MAX_VALUE) {
                throw new GeneralSecurityException("a file of more than 128 GiB cannot be encrypted with ChaCha20");
            }
            Cipher cipher = Own.CHACHA.get();
            // Deciphering and enciphering are the same; only the first refuses no nonce it has seen, and a file is
            // entered at many places with the one it has.
            cipher.init(Cipher.DECRYPT_MODE, key, new ChaCha20ParameterSpec(new byte[12], (int) block));
            return cipher;
        }
    };

    private final int code;
    private final String algorithm;
    private final int blockBytes;

    StoreCipher(int code, String algorithm, int blockBytes) {
        this.code = code;
        this.algorithm = algorithm;
        this.blockBytes = blockBytes;
    }

    /** Owned by the thread; making one is slow. */
    private static final class Own {
        static final ThreadLocal<Cipher> AES = ThreadLocal.withInitial(() -> make("AES/CTR/NoPadding"));
        static final ThreadLocal<Cipher> CHACHA = ThreadLocal.withInitial(() -> make("ChaCha20"));

        private Own() {}

        private static Cipher make(String transformation) {
            try {
                return Cipher.getInstance(transformation);
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("this Java has no " + transformation, e);
            }
        }
    }

    /** What stands for it in files. */
    int code() {
        return code;
    }

    /** The one of this code; null when there is none. */
    static StoreCipher of(int code) {
        for (StoreCipher each : values()) {
            if (each.code == code) {
                return each;
            }
        }
        return null;
    }

    /** The name of its keys. */
    String algorithm() {
        return algorithm;
    }

    /** A cipher at the beginning of a block of the key stream. */
    abstract Cipher begin(Key key, long block) throws GeneralSecurityException;

    /** Enciphers, or deciphers, {@code length} bytes in place that stand at {@code position} of the file. */
    void apply(Key key, long position, byte[] bytes, int length) {
        try {
            Cipher cipher = begin(key, position / blockBytes);
            int skip = (int) (position % blockBytes);
            if (skip > 0) {
                cipher.update(new byte[skip], 0, skip);
            }
            int done = cipher.update(bytes, 0, length, bytes, 0);
            if (done != length) {
                throw new IllegalStateException(algorithm + " gave " + done + " bytes for " + length);
            }
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
