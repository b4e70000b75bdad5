package io.penstock.storage.disk;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.crypto.KDF;
import javax.crypto.SecretKey;
import javax.crypto.spec.HKDFParameterSpec;

/**
 * The keys of a store: the present one, for every file that is begun, and a former one, for files that were begun with it.
 * No file is enciphered with these themselves; each has a key of its own, derived from one of them and what the file's
 * header carries.
 */
public final class StoreKeys {
    static final int ID_BYTES = 8;
    static final int SALT_BYTES = 32;
    private static final int KEY_BYTES = 32;

    /** A key with what names it in files. */
    private record Master(byte[] secret, byte[] id) {}

    private final StoreCipher cipher;
    private final SecureRandom random;

    /** The present one first. */
    private final List<Master> masters = new ArrayList<>();

    /**
     * @param cipher for files that are begun; files say themselves which they have
     * @param key any text, not empty; it should have 128 bits of randomness or more
     * @param previous the former key; empty for none
     */
    public StoreKeys(StoreCipher cipher, String key, String previous, SecureRandom random) {
        if (key.isEmpty()) {
            throw new IllegalArgumentException("the key of a store cannot be empty");
        }
        this.cipher = cipher;
        this.random = random;
        masters.add(master(key));
        if (!previous.isEmpty()) {
            masters.add(master(previous));
        }
    }

    private static Master master(String text) {
        byte[] secret = text.getBytes(StandardCharsets.UTF_8);
        return new Master(secret, derive(secret, new byte[SALT_BYTES], "penstock store key id", ID_BYTES));
    }

    private static byte[] derive(byte[] secret, byte[] salt, String purpose, int length) {
        try {
            return KDF.getInstance("HKDF-SHA256").deriveData(parameters(secret, salt, purpose, length));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static HKDFParameterSpec parameters(byte[] secret, byte[] salt, String purpose, int length) {
        return HKDFParameterSpec.ofExtract()
                .addIKM(secret)
                .addSalt(salt)
                .thenExpand(purpose.getBytes(StandardCharsets.US_ASCII), length);
    }

    public StoreCipher cipher() {
        return cipher;
    }

    /** Names the present key. */
    byte[] id() {
        return masters.getFirst().id().clone();
    }

    /** Whether files of this key can be read. */
    boolean knows(byte[] id) {
        return masters.stream().anyMatch(master -> Arrays.equals(master.id(), id));
    }

    byte[] newSalt() {
        byte[] salt = new byte[SALT_BYTES];
        random.nextBytes(salt);
        return salt;
    }

    /** The key of one file; null when the key it was begun with is not known. */
    SecretKey fileKey(StoreCipher of, byte[] id, byte[] salt) {
        for (Master master : masters) {
            if (Arrays.equals(master.id(), id)) {
                try {
                    return KDF.getInstance("HKDF-SHA256")
                            .deriveKey(
                                    of.algorithm(),
                                    parameters(master.secret(), salt, "penstock store file", KEY_BYTES));
                } catch (GeneralSecurityException e) {
                    throw new IllegalStateException(e);
                }
            }
        }
        return null;
    }
}
