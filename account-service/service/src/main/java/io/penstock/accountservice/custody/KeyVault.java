package io.penstock.accountservice.custody;

import io.penstock.claims.KeyType;
import io.penstock.claims.NKeySigner;

/**
 * Keeps private keys. Seeds never leave an implementation: callers get public keys and signatures. A local file store
 * implements it here; a key management service can in its place.
 */
public interface KeyVault {
    /** Makes a key at this place and returns its public key. Fails with {@link VaultException} when one is there. */
    String generate(KeyRef ref, KeyType type);

    /** Whether there is a key at this place. */
    boolean contains(KeyRef ref);

    /** Public key at this place, read from the key itself. */
    String publicKey(KeyRef ref);

    /**
     * A signer for the key at this place.
     *
     * @param publicKey what the caller's own records say the key is; signing fails when the key is another
     */
    NKeySigner signer(KeyRef ref, String publicKey);

    /** Destroys one key; nothing happens when there is none. */
    void destroy(KeyRef ref);

    /** Destroys every key of an owner and what could decrypt copies of them. */
    void destroyOwner(String owner);
}
