package io.penstock.claims;

/** Whoever can sign with an nkey: a key pair in memory, a vault, a key management service. */
public interface NKeySigner {
    /** Text of the public key that belongs to the signatures. */
    String publicKey();

    /** The 64-byte Ed25519 signature of the data. */
    byte[] sign(byte[] data);
}
