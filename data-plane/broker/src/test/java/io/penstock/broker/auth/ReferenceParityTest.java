package io.penstock.broker.auth;

import static io.penstock.broker.auth.JwtCases.ACCOUNT;
import static io.penstock.broker.auth.JwtCases.OPERATOR;
import static io.penstock.broker.auth.JwtCases.SCOPED_KEY;
import static io.penstock.broker.auth.JwtCases.USER;
import static io.penstock.broker.auth.JwtCases.expiring;
import static io.penstock.broker.auth.JwtCases.plain;
import static io.penstock.broker.testing.TestingOperator.claims;
import static io.penstock.broker.testing.TestingOperator.dial;
import static io.penstock.broker.testing.TestingOperator.encode;
import static io.penstock.broker.testing.TestingOperator.now;
import static io.penstock.broker.testing.TestingOperator.pair;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.broker.resolver.ResolverConfig;
import io.penstock.broker.testing.TestingBroker;
import io.penstock.broker.testing.TestingWire;
import io.penstock.claims.AccountClaims;
import io.penstock.claims.KeyType;
import io.penstock.claims.NKeyPair;
import io.penstock.claims.UserLimits;
import io.penstock.testkit.Programs;
import io.penstock.testkit.ServerProcess;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The same JWTs and questions to a real nats-server and to ours. */
@Tag("wire")
class ReferenceParityTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * What only the reference says: its feature switches, the JWT a second time in other words, and the services of the
     * system account, which are imports there and functions here.
     */
    private static final Set<String> THEIRS_ALONE =
            Set.of("server.feature_flags", "data.decoded_jwt", "data.imports", "data.exports", "data.responses");

    @TempDir
    static Path folder;

    private static ServerProcess reference;
    private static TestingBroker ours;

    @BeforeAll
    static void start() throws Exception {
        AuthConfig config = OPERATOR.config(ResolverConfig.full(folder.resolve("ours")));
        StringBuilder preload = new StringBuilder();
        for (Map.Entry<String, String> entry : config.operator().preload().entrySet()) {
            preload.append("  ")
                    .append(entry.getKey())
                    .append(": ")
                    .append(entry.getValue())
                    .append('\n');
        }
        reference = ServerProcess.start(Programs.reference(), folder.resolve("reference"), """
                server_name: testing
                max_control_line: 65536
                operator: %s
                system_account: %s
                resolver { type: full, dir: "@DIR@/jwt" }
                resolver_preload {
                %s}
                """.formatted(
                        OPERATOR.operatorJwt(), OPERATOR.system.publicKey(), preload));
        ours = TestingBroker.start(config);
    }

    @AfterAll
    static void stop() {
        ours.close();
        reference.close();
    }

    @ParameterizedTest
    @MethodSource("io.penstock.broker.auth.JwtCases#refusals")
    void refusesTheSameUsersInTheSameWords(JwtCases.Refusal refusal) throws Exception {
        try (TestingWire theirs = dial(reference.port(), refusal.jwt(), refusal.signer());
                TestingWire own = dial(ours.port(), refusal.jwt(), refusal.signer())) {
            String expected = theirs.next();
            assertThat(expected).isEqualTo("-ERR 'Authorization Violation'");
            assertThat(own.next()).isEqualTo(expected);
            assertThat(own.isClosed()).isEqualTo(theirs.isClosed());
        }
    }

    @Test
    void scopesWorkTheSame() throws Exception {
        String jwt = encode(claims(USER, ACCOUNT, UserLimits.SCOPED), SCOPED_KEY);
        try (TestingWire theirs = dial(reference.port(), jwt, USER);
                TestingWire own = dial(ours.port(), jwt, USER)) {
            for (TestingWire wire : new TestingWire[] {theirs, own}) {
                wire.flush();
                wire.publish("jobs.w1.x", "", "");
                wire.publish("jobs.w2.x", "", "");
                assertThat(wire.next()).isEqualTo("-ERR 'Permissions Violation for Publish to \"jobs.w2.x\"'");
            }
        }
    }

    @Test
    void expiryAndRevocationSayTheSame() throws Exception {
        NKeyPair account = pair(KeyType.ACCOUNT);
        AccountClaims claims = AccountClaims.builder(account.publicKey(), "x").build();
        AccountClaims revoking = claims.toBuilder()
                .revocations(Map.of(USER.publicKey(), now() + 3600))
                .build();
        for (int port : new int[] {reference.port(), ours.port()}) {
            try (TestingWire system = OPERATOR.dialSystem(port)) {
                system.request("$SYS.REQ.CLAIMS.UPDATE", OPERATOR.sign(claims, now() - 5));
                try (TestingWire expiring = dial(port, encode(expiring(plain(), now() + 2), ACCOUNT), USER);
                        TestingWire revoked =
                                dial(port, encode(claims(USER, account, UserLimits.UNLIMITED), account), USER)) {
                    revoked.flush();
                    system.request("$SYS.REQ.CLAIMS.UPDATE", OPERATOR.sign(revoking));
                    assertThat(revoked.next()).isEqualTo("-ERR 'User Authentication Revoked'");
                    assertThat(revoked.isClosed()).isTrue();
                    assertThat(expiring.next()).isEqualTo("-ERR 'User Authentication Expired'");
                    assertThat(expiring.isClosed()).isTrue();
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "$SYS.REQ.SERVER.PING",
                "$SYS.REQ.SERVER.PING.IDZ",
                "$SYS.REQ.SERVER.PING.ACCOUNTZ",
                "$SYS.REQ.ACCOUNT.PING.STATZ",
                "$SYS.REQ.ACCOUNT.{system}.CONNS",
                "$SYS.REQ.ACCOUNT.{system}.STATZ",
                "$SYS.REQ.ACCOUNT.{system}.INFO",
                "$SYS.REQ.USER.INFO",
                "$SYS.REQ.CLAIMS.LIST",
            })
    void repliesHaveTheSameFields(String subject) throws Exception {
        String asked = subject.replace("{system}", OPERATOR.system.publicKey());
        try (TestingWire theirs = OPERATOR.dialSystem(reference.port());
                TestingWire own = OPERATOR.dialSystem(ours.port())) {
            Set<String> expected = fields(theirs.request(asked, "").payload());
            Set<String> found = fields(own.request(asked, "").payload());

            expected.removeIf(field -> THEIRS_ALONE.stream().anyMatch(field::startsWith));
            assertThat(found).containsAll(expected);
        }
    }

    @Test
    void updatesAreAnsweredInTheSameWords() throws Exception {
        NKeyPair account = pair(KeyType.ACCOUNT);
        AccountClaims claims = AccountClaims.builder(account.publicKey(), "x").build();
        String jwt = OPERATOR.sign(claims);
        try (TestingWire theirs = OPERATOR.dialSystem(reference.port());
                TestingWire own = OPERATOR.dialSystem(ours.port())) {
            for (String subject : new String[] {
                "$SYS.REQ.CLAIMS.UPDATE",
                "$SYS.REQ.ACCOUNT." + account.publicKey() + ".CLAIMS.UPDATE",
                "$SYS.ACCOUNT." + account.publicKey() + ".CLAIMS.UPDATE",
                "$SYS.REQ.ACCOUNT." + OPERATOR.system.publicKey() + ".CLAIMS.UPDATE",
            }) {
                assertThat(outcome(own.request(subject, jwt)))
                        .as(subject)
                        .isEqualTo(outcome(theirs.request(subject, jwt)));
            }
            String lookup = "$SYS.REQ.ACCOUNT." + account.publicKey() + ".CLAIMS.LOOKUP";
            assertThat(own.request(lookup, "").payload()).isEqualTo(jwt);
            assertThat(theirs.request(lookup, "").payload()).isEqualTo(jwt);
        }
    }

    private static JsonNode outcome(TestingWire.Message message) throws Exception {
        JsonNode reply = JSON.readTree(message.payload());
        return reply.has("data") ? reply.path("data") : reply.path("error");
    }

    private static Set<String> fields(String json) throws Exception {
        Set<String> paths = new TreeSet<>();
        collect(JSON.readTree(json), "", paths);
        return paths;
    }

    private static void collect(JsonNode node, String path, Set<String> paths) {
        if (node.isObject()) {
            node.properties().forEach(field -> {
                String child = path.isEmpty() ? field.getKey() : path + "." + field.getKey();
                paths.add(child);
                collect(field.getValue(), child, paths);
            });
        } else if (node.isArray()) {
            node.forEach(element -> collect(element, path + "[]", paths));
        }
    }
}
