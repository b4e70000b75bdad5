package io.penstock.accountservice.operator;

import io.penstock.accountservice.custody.KeyRef;
import io.penstock.accountservice.custody.KeyVault;
import io.penstock.accountservice.store.OperatorEntity;
import io.penstock.claims.AccountClaims;
import io.penstock.claims.GenericClaims;
import io.penstock.claims.InvalidTokenException;
import io.penstock.claims.JwtDecoder;
import io.penstock.claims.JwtEncoder;
import io.penstock.claims.NKeySigner;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import java.time.Clock;
import java.util.List;

/** Signs in the operator's name, with the active one of its three signing keys; the identity key stays unused. */
@ApplicationScoped
public class OperatorKeys {
    static final String OWNER = "operator";
    static final KeyRef IDENTITY = new KeyRef(OWNER, "identity", 1);
    static final int SIGNING_KEYS = 3;

    private final KeyVault vault;
    private final EntityManager entities;
    private final Clock clock;

    OperatorKeys(KeyVault vault, EntityManager entities, Clock clock) {
        this.vault = vault;
        this.entities = entities;
        this.clock = clock;
    }

    static KeyRef signing(int number) {
        return new KeyRef(OWNER, "signing", number);
    }

    /** The operator's public parts; call in a transaction. */
    public OperatorEntity operator() {
        OperatorEntity operator = entities.find(OperatorEntity.class, OperatorEntity.ID);
        if (operator == null) {
            throw new IllegalStateException("there is no operator yet: the first start has not finished");
        }
        return operator;
    }

    /** Public signing keys in their order; call in a transaction. */
    public List<String> signingKeys() {
        try {
            return JwtDecoder.decodeOperator(operator().jwt).signingKeys();
        } catch (InvalidTokenException e) {
            throw new IllegalStateException("the stored operator token is damaged", e);
        }
    }

    /** The token of an account; call in a transaction. */
    public String signAccount(AccountClaims claims, long issuedAt) {
        return JwtEncoder.encode(claims, activeSigner(), issuedAt);
    }

    /** The request to delete an account on the nodes; call in a transaction. */
    public String signDeletion(String accountPublicKey) {
        NKeySigner signer = activeSigner();
        GenericClaims request = GenericClaims.deleteAccounts(signer.publicKey(), List.of(accountPublicKey));
        return JwtEncoder.encode(request, signer, clock.instant().getEpochSecond());
    }

    private NKeySigner activeSigner() {
        int number = operator().activeSigningKey;
        return vault.signer(signing(number), signingKeys().get(number - 1));
    }
}
