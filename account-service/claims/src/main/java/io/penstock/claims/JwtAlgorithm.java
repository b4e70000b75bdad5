package io.penstock.claims;

import com.nimbusds.jose.JWSAlgorithm;

/** Names of the signature algorithm in NATS JWTs: Ed25519 under a name of their own. */
final class JwtAlgorithm {
    /** Signs header and payload. */
    static final JWSAlgorithm CURRENT = new JWSAlgorithm("ed25519-nkey");
    /** The old form, which signs the payload alone; read, never written. */
    static final JWSAlgorithm OLD = new JWSAlgorithm("ed25519");

    private JwtAlgorithm() {}
}
