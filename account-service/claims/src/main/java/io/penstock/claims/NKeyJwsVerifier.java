package io.penstock.claims;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.jca.JCAContext;
import com.nimbusds.jose.util.Base64URL;
import java.util.Set;

/** Verifies a JWS that was signed with an nkey. */
final class NKeyJwsVerifier implements JWSVerifier {
    private final String publicKey;
    private final JCAContext context = new JCAContext();

    NKeyJwsVerifier(String publicKey) {
        this.publicKey = publicKey;
    }

    @Override
    public boolean verify(JWSHeader header, byte[] signingInput, Base64URL signature) {
        return supportedJWSAlgorithms().contains(header.getAlgorithm())
                && NKeyVerifier.verify(publicKey, signingInput, signature.decode());
    }

    @Override
    public Set<JWSAlgorithm> supportedJWSAlgorithms() {
        return Set.of(JwtAlgorithm.CURRENT, JwtAlgorithm.OLD);
    }

    @Override
    public JCAContext getJCAContext() {
        return context;
    }
}
