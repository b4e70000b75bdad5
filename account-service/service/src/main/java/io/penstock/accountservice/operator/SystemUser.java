package io.penstock.accountservice.operator;

import io.penstock.accountservice.config.ServiceConfig;
import io.penstock.accountservice.custody.KeyVault;
import io.penstock.accountservice.store.OperatorEntity;
import io.penstock.claims.InvalidTokenException;
import io.penstock.claims.JwtDecoder;
import io.penstock.claims.JwtEncoder;
import io.penstock.claims.KeyType;
import io.penstock.claims.NKeyPair;
import io.penstock.claims.UserClaims;
import io.penstock.claims.UserLimits;
import io.quarkus.narayana.jta.QuarkusTransaction;
import jakarta.enterprise.context.ApplicationScoped;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.List;

/** Makes this service's own user of the system account: a new key and a new short-lived token for every connect. */
@ApplicationScoped
public class SystemUser {
    private final KeyVault vault;
    private final OperatorKeys operatorKeys;
    private final ServiceConfig config;
    private final Clock clock;
    private final SecureRandom random = new SecureRandom();

    SystemUser(KeyVault vault, OperatorKeys operatorKeys, ServiceConfig config, Clock clock) {
        this.vault = vault;
        this.operatorKeys = operatorKeys;
        this.config = config;
        this.clock = clock;
    }

    /**
     * A login.
     *
     * @param pair signs the nonce of the node; to be closed after that
     */
    public record Login(String jwt, NKeyPair pair) {}

    /** A new login. */
    public Login newLogin() {
        OperatorEntity operator = QuarkusTransaction.requiringNew().call(operatorKeys::operator);
        String signingKey;
        try {
            signingKey = JwtDecoder.decodeAccount(operator.systemAccountJwt)
                    .signingKeys()
                    .getFirst()
                    .key();
        } catch (InvalidTokenException e) {
            throw new IllegalStateException("the stored token of the system account is damaged", e);
        }
        NKeyPair pair = NKeyPair.generate(KeyType.USER, random);
        long now = clock.instant().getEpochSecond();
        UserClaims claims = UserClaims.of(
                pair.publicKey(), "account-service", operator.systemAccountPublicKey, UserLimits.SCOPED, List.of());
        long expiry = now + config.broker().userTtl().toSeconds();
        String jwt = JwtEncoder.encode(
                claims.withRegistered(claims.registered().expiringAt(expiry)),
                vault.signer(SystemAccount.SERVICE_KEY, signingKey),
                now);
        return new Login(jwt, pair);
    }
}
