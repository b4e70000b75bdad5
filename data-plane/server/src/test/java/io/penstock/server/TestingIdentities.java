package io.penstock.server;

import io.penstock.claims.AccountClaims;
import io.penstock.claims.AccountLimits;
import io.penstock.claims.Claims;
import io.penstock.claims.CredentialsFile;
import io.penstock.claims.JetStreamClaimLimits;
import io.penstock.claims.JwtEncoder;
import io.penstock.claims.KeyType;
import io.penstock.claims.NKeyPair;
import io.penstock.claims.OperatorClaims;
import io.penstock.claims.Registered;
import io.penstock.claims.UserClaims;
import io.penstock.claims.UserLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** An operator, its system account and an account with JetStream, with a credentials file for a user of each. */
final class TestingIdentities {
    private static final SecureRandom RANDOM = new SecureRandom();

    private final NKeyPair operator = pair(KeyType.OPERATOR);
    private final NKeyPair system = pair(KeyType.ACCOUNT);
    private final NKeyPair account = pair(KeyType.ACCOUNT);
    private final Path directory;

    /** Writes {@code sys.creds} and {@code a.creds}. */
    TestingIdentities(Path directory) throws IOException {
        this.directory = directory;
        user("sys", system);
        user("a", account);
    }

    private static NKeyPair pair(KeyType type) {
        return NKeyPair.generate(type, RANDOM);
    }

    private String sign(Claims claims, NKeyPair by) {
        return JwtEncoder.encode(claims, by, Instant.now().getEpochSecond());
    }

    private void user(String name, NKeyPair of) throws IOException {
        NKeyPair user = pair(KeyType.USER);
        UserClaims claims = UserClaims.of(user.publicKey(), name, "", UserLimits.UNLIMITED, List.of());
        Files.write(credentials(name), CredentialsFile.write(sign(claims, of), user.seed()));
    }

    Path credentials(String name) {
        return directory.resolve(name + ".creds");
    }

    String account() {
        return account.publicKey();
    }

    /** The JWT of the account with JetStream, which no node knows until it is pushed. */
    String accountJwt() {
        AccountLimits limits =
                AccountLimits.UNLIMITED.withJetStream(new JetStreamClaimLimits(-1, -1, -1, -1, -1, -1, -1, false));
        return sign(
                AccountClaims.builder(account.publicKey(), "A").limits(limits).build(), operator);
    }

    /** The part of a node's file that makes it a node of this operator. */
    String configuration(Path store) {
        OperatorClaims claims = new OperatorClaims(
                Registered.about(operator.publicKey(), "testing"),
                2,
                List.of(),
                List.of(),
                "",
                List.of(),
                system.publicKey(),
                "",
                false,
                Map.of());
        String own = sign(claims, operator);
        String sys = sign(AccountClaims.builder(system.publicKey(), "SYS").build(), operator);
        return """
                operator: %s
                system_account: %s
                resolver { type: full, dir: "%s", allow_delete: true, interval: "2m" }
                resolver_preload { %s: %s }
                """.formatted(own, system.publicKey(), store, system.publicKey(), sys);
    }
}
