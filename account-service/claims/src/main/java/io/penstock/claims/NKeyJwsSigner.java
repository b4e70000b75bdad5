package io.penstock.claims;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.jca.JCAContext;
import com.nimbusds.jose.util.Base64URL;
import java.util.Set;

/** Lets a JWS be signed with an nkey, wherever its seed is kept. */
final class NKeyJwsSigner implements JWSSigner {
    private final NKeySigner signer;
    private final JCAContext context = new JCAContext();

    NKeyJwsSigner(NKeySigner signer) {
        this.signer = signer;
    }

    @Override
    public Base64URL sign(JWSHeader header, byte[] signingInput) throws JOSEException {
        if (!header.getAlgorithm().equals(JwtAlgorithm.CURRENT)) {
            throw new JOSEException("an nkey signs with " + JwtAlgorithm.CURRENT + ", not " + header.getAlgorithm());
        }
        return Base64URL.encode(signer.sign(signingInput));
    }

    @Override
    public Set<JWSAlgorithm> supportedJWSAlgorithms() {
        return Set.of(JwtAlgorithm.CURRENT);
    }

    @Override
    public JCAContext getJCAContext() {
        return context;
    }
}
