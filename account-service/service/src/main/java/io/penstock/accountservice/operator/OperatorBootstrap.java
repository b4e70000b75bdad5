package io.penstock.accountservice.operator;

import io.penstock.accountservice.audit.AuditLog;
import io.penstock.accountservice.config.ServiceConfig;
import io.penstock.accountservice.custody.KeyRef;
import io.penstock.accountservice.custody.KeyVault;
import io.penstock.accountservice.statement.Statement;
import io.penstock.accountservice.store.OperatorEntity;
import io.penstock.claims.JwtEncoder;
import io.penstock.claims.KeyType;
import io.penstock.claims.OperatorClaims;
import io.quarkus.narayana.jta.QuarkusTransaction;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jboss.logging.Logger;

/**
 * Makes the operator and the system account at the first start and writes the nodes' files at every start.
 *
 * <p>Keys come before the database row. A start that finds keys but no row takes the keys over: it was interrupted, or
 * the database was lost, and in both cases new keys would lock out every node.
 */
@ApplicationScoped
public class OperatorBootstrap {
    private static final Logger LOG = Logger.getLogger(OperatorBootstrap.class);
    private static final KeyRef SYSTEM_IDENTITY = new KeyRef(SystemAccount.OWNER, "identity", 1);

    private final KeyVault vault;
    private final EntityManager entities;
    private final AuditLog audit;
    private final ServiceConfig config;
    private final Clock clock;

    OperatorBootstrap(KeyVault vault, EntityManager entities, AuditLog audit, ServiceConfig config, Clock clock) {
        this.vault = vault;
        this.entities = entities;
        this.audit = audit;
        this.config = config;
        this.clock = clock;
    }

    /** Runs at start, before anything is served. */
    public void run() {
        OperatorEntity operator = QuarkusTransaction.requiringNew().call(() -> {
            OperatorEntity known = entities.find(OperatorEntity.class, OperatorEntity.ID);
            return known == null ? create() : known;
        });
        BootstrapFiles.write(config.bootstrap().dir(), operator);
    }

    private OperatorEntity create() {
        long now = clock.instant().getEpochSecond();
        String identity = ensure(OperatorKeys.IDENTITY, KeyType.OPERATOR);
        List<String> signing = new ArrayList<>();
        for (int number = 1; number <= OperatorKeys.SIGNING_KEYS; number++) {
            signing.add(ensure(OperatorKeys.signing(number), KeyType.OPERATOR));
        }
        String system = ensure(SYSTEM_IDENTITY, KeyType.ACCOUNT);
        String service = ensure(SystemAccount.SERVICE_KEY, KeyType.ACCOUNT);

        OperatorEntity operator = new OperatorEntity();
        operator.id = OperatorEntity.ID;
        operator.publicKey = identity;
        operator.systemAccountPublicKey = system;
        operator.activeSigningKey = 1;
        operator.createdAt = clock.instant();
        operator.jwt = JwtEncoder.encode(
                OperatorClaims.of(identity, config.bootstrap().operatorName(), signing, system),
                vault.signer(OperatorKeys.IDENTITY, identity),
                now);
        operator.systemAccountJwt = JwtEncoder.encode(
                SystemAccount.claims(system, service), vault.signer(OperatorKeys.signing(1), signing.getFirst()), now);
        entities.persist(operator);
        audit.append(
                Statement.SELF,
                "operator.created",
                SystemAccount.OWNER,
                Map.of("operator", identity, "signing_keys", signing, "system_account", system));
        LOG.infof("made operator %s with system account %s", identity, system);
        return operator;
    }

    private String ensure(KeyRef ref, KeyType type) {
        return vault.contains(ref) ? vault.publicKey(ref) : vault.generate(ref, type);
    }
}
