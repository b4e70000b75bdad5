package io.penstock.claims;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Our tokens in the real server and command-line tool, and theirs here. */
@Tag("wire")
class ReferenceToolsTest {
    private final SecureRandom random = new SecureRandom();
    private final NKeyPair operator = NKeyPair.generate(KeyType.OPERATOR, random);
    private final NKeyPair operatorSigning = NKeyPair.generate(KeyType.OPERATOR, random);
    private final NKeyPair system = NKeyPair.generate(KeyType.ACCOUNT, random);
    private final NKeyPair account = NKeyPair.generate(KeyType.ACCOUNT, random);
    private final NKeyPair worker = NKeyPair.generate(KeyType.ACCOUNT, random);
    private final long now = Instant.now().getEpochSecond();

    @TempDir
    Path folder;

    @BeforeEach
    void toolsArePresent() {
        assumeTrue(TestingNatsServer.referenceServer().isPresent(), "no nats-server on this machine");
        assumeTrue(TestingNatsServer.commandLine().isPresent(), "no nats command-line tool on this machine");
    }

    @Test
    void theRealServerAndToolAcceptOurTokens() throws Exception {
        try (TestingNatsServer server = startServer(Map.of())) {
            assertThat(publish(server, user("w1", now, 0), "jobs.w1.x").output())
                    .contains("Published");
            assertThat(publish(server, user("w1", now, 0), "jobs.w2.x").output())
                    .contains("Permissions Violation")
                    .contains("jobs.w2.x");
        }
    }

    @Test
    void theRealServerRefusesExpiredRevokedAndForeignTokens() throws Exception {
        NKeyPair revoked = NKeyPair.generate(KeyType.USER, random);
        try (TestingNatsServer server = startServer(Map.of(revoked.publicKey(), now))) {
            assertThat(publish(server, user("late", now - 100, now - 50), "jobs.late.x")
                            .output())
                    .contains("Authorization Violation");
            assertThat(publish(server, creds(revoked, "r", now, 0, worker), "jobs.r.x")
                            .output())
                    .contains("Authorization Violation");
            assertThat(publish(server, creds(revoked, "r", now + 1, 0, worker), "jobs.r.x")
                            .output())
                    .contains("Published");
            try (NKeyPair foreign = NKeyPair.generate(KeyType.ACCOUNT, random);
                    NKeyPair user = NKeyPair.generate(KeyType.USER, random)) {
                assertThat(publish(server, creds(user, "f", now, 0, foreign), "jobs.f.x")
                                .output())
                        .contains("Authorization Violation");
            }
        }
    }

    @Test
    void weAcceptEveryTokenTheToolMakes() throws Exception {
        manage("auth", "operator", "add", "OP", "--signing-key");
        manage("auth account add ACME --defaults --jetstream --js-disk=1GB --js-memory=0 --tags Env:Prod".split(" "));
        manage("auth account keys add ACME worker --pub-allow jobs.{{name()}}.> --sub-allow x --payload=-1 --no-bearer"
                .split(" "));
        Path creds = folder.resolve("tool.creds");
        manage("auth", "user", "add", "w1", "ACME", "--defaults", "--key", "worker", "--credential", creds.toString());

        CredentialsFile file = CredentialsFile.parse(Files.readAllBytes(creds));
        UserClaims user = JwtDecoder.decodeUser(file.jwt());
        try (NKeyPair pair = NKeyPair.fromSeed(file.seed())) {
            assertThat(pair.publicKey()).isEqualTo(user.subject());
        }
        List<Claims> all = new ArrayList<>();
        try (Stream<Path> files = Files.walk(folder.resolve("data"))) {
            for (Path path : files.filter(p -> p.toString().endsWith(".jwt")).toList()) {
                all.add(JwtDecoder.decode(Files.readString(path).strip()));
            }
        }
        assertThat(all).extracting(Claims::type).contains("operator", "account", "user");
        AccountClaims acme = all.stream()
                .filter(claims -> claims.registered().name().equals("ACME"))
                .map(AccountClaims.class::cast)
                .findFirst()
                .orElseThrow();
        assertThat(acme.maySignUsers(user.issuer())).isTrue();
        assertThat(user.account()).isEqualTo(acme.subject());
        assertThat(user.limits().isEmpty()).isTrue();
    }

    private TestingNatsServer startServer(Map<String, Long> revocations) throws IOException {
        String operatorJwt = JwtEncoder.encode(
                OperatorClaims.of(operator.publicKey(), "op", List.of(operatorSigning.publicKey()), system.publicKey()),
                operator,
                now);
        String systemJwt = JwtEncoder.encode(
                AccountClaims.builder(system.publicKey(), "SYS").build(), operatorSigning, now);
        UserLimits template = UserLimits.UNLIMITED.withPermissions(new Permissions(
                new Permissions.Rules(List.of("jobs.{{name()}}.>"), List.of()), Permissions.Rules.NONE, null));
        AccountClaims claims = AccountClaims.builder(account.publicKey(), "acme")
                .signingKeys(List.of(
                        new SigningKey(worker.publicKey(), new SigningKey.Scope("worker", template, "Workers"))))
                .revocations(revocations)
                .build();
        String accountJwt = JwtEncoder.encode(claims, operatorSigning, now);
        int port = TestingNatsServer.freePort();
        return TestingNatsServer.start(TestingNatsServer.referenceServer().orElseThrow(), port, folder, """
                operator: %s
                system_account: %s
                resolver: MEMORY
                resolver_preload: { %s: %s, %s: %s }
                """.formatted(
                operatorJwt, system.publicKey(), system.publicKey(), systemJwt, account.publicKey(), accountJwt));
    }

    private Path user(String name, long issuedAt, long expiresAt) throws IOException {
        try (NKeyPair pair = NKeyPair.generate(KeyType.USER, random)) {
            return creds(pair, name, issuedAt, expiresAt, worker);
        }
    }

    private Path creds(NKeyPair user, String name, long issuedAt, long expiresAt, NKeyPair signer) throws IOException {
        UserClaims claims = UserClaims.of(user.publicKey(), name, account.publicKey(), UserLimits.SCOPED, List.of());
        String jwt =
                JwtEncoder.encode(claims.withRegistered(claims.registered().expiringAt(expiresAt)), signer, issuedAt);
        Path file = Files.createTempFile(folder, name, ".creds");
        return Files.write(file, CredentialsFile.write(jwt, user.seed()));
    }

    private TestingNatsServer.Outcome publish(TestingNatsServer server, Path creds, String subject) throws Exception {
        return nats("--server", server.url(), "--creds", creds.toString(), "pub", subject, "hello");
    }

    private void manage(String... arguments) throws Exception {
        TestingNatsServer.Outcome outcome = nats(arguments);
        assertThat(outcome.exitCode()).as(outcome.output()).isZero();
    }

    private TestingNatsServer.Outcome nats(String... arguments) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(TestingNatsServer.commandLine().orElseThrow().toString());
        command.addAll(List.of(arguments));
        return TestingNatsServer.run(folder, command);
    }
}
