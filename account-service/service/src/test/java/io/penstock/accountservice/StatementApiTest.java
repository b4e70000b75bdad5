package io.penstock.accountservice;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.accountservice.TestingControlPlane.Answer;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Nobody gets in without a statement for exactly this request. */
@QuarkusTest
@QuarkusTestResource(TestingEnvironment.class)
class StatementApiTest {
    private static final String PATH = "/accounts/acc_statement";

    private final TestingControlPlane controlPlane = new TestingControlPlane(TestingEnvironment.statementSecret());
    private final byte[] body = controlPlane.bytes(Wishes.account(1, "acme", "active"));

    @Test
    void everyPathNeedsOne() {
        for (String path : List.of("/operator", PATH, PATH + "/issuances", "/issuances/x", PATH + "/nothing")) {
            Answer answer = controlPlane.send("GET", path, new byte[0], null);
            assertThat(answer.status()).as(path).isIn(401, 404);
            assertThat(answer.body().has("operator_jwt")).isFalse();
        }
        assertThat(controlPlane.send("GET", "/operator", new byte[0], null).text("code"))
                .isEqualTo("statement_missing");
        assertThat(controlPlane.send("PUT", PATH, body, null).status()).isEqualTo(401);
    }

    @Test
    void refusesAnotherSecretAndNoSignature() {
        Map<String, Object> claims = controlPlane.claims("PUT", TestingControlPlane.BASE + PATH, body);
        byte[] other = TestingEnvironment.statementSecret();
        other[0] ^= 1;
        assertRefused(TestingControlPlane.sign(claims, other), "statement_invalid");
        String payload = controlPlane.sign(claims).split("\\.")[1];
        String none = Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString("{\"alg\":\"none\"}".getBytes(StandardCharsets.US_ASCII));
        assertRefused(none + "." + payload + ".", "statement_invalid");
        assertRefused("not a statement", "statement_invalid");
    }

    @Test
    void refusesAStatementForAnotherRequest() {
        assertRefused(signed(claims -> claims.put("htm", "POST")), "statement_mismatch");
        assertRefused(
                signed(claims -> claims.put("htu", TestingControlPlane.BASE + "/accounts/other")),
                "statement_mismatch");
        assertRefused(signed(claims -> claims.put("bsh", "AAAA")), "statement_mismatch");
        assertRefused(signed(claims -> claims.put("iss", "somebody")), "statement_mismatch");
        assertRefused(signed(claims -> claims.remove("sub")), "statement_mismatch");
        assertRefused(signed(claims -> claims.put("exp", "soon")), "statement_invalid");
    }

    @Test
    void refusesExpiredLongAndFutureStatements() {
        long now = Instant.now().getEpochSecond();
        assertRefused(
                signed(claims -> {
                    claims.put("iat", now - 100);
                    claims.put("exp", now - 50);
                }),
                "statement_expired");
        assertRefused(signed(claims -> claims.put("exp", now + 3600)), "statement_invalid");
        assertRefused(
                signed(claims -> {
                    claims.put("iat", now + 100);
                    claims.put("exp", now + 120);
                }),
                "statement_invalid");
    }

    @Test
    void refusesTheSameStatementTwice() {
        String statement = signed(claims -> {});
        assertThat(controlPlane.send("PUT", PATH, body, statement).status()).isIn(200, 201);
        assertRefused(statement, "statement_replayed");
    }

    private String signed(Consumer<Map<String, Object>> change) {
        Map<String, Object> claims = controlPlane.claims("PUT", TestingControlPlane.BASE + PATH, body);
        change.accept(claims);
        return controlPlane.sign(claims);
    }

    private void assertRefused(String statement, String code) {
        Answer answer = controlPlane.send("PUT", PATH, body, statement);
        assertThat(answer.status()).isEqualTo(401);
        assertThat(answer.text("code")).isEqualTo(code);
    }
}
