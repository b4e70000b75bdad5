package io.penstock.controlplane.accountservice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

class StatementsTest {
    @Test
    void statementNamesWhoWhyAndWhat() throws Exception {
        byte[] secret = new byte[32];
        byte[] body = "{\"a\":1}".getBytes(StandardCharsets.UTF_8);
        String jws = new Statements(secret, new ObjectMapper())
                .sign(
                        new AccountService.Reason("usrp_1", "credential.issue", "req_1"),
                        "POST",
                        "/internal/v1/x",
                        body,
                        Instant.ofEpochSecond(1_000));

        String[] parts = jws.split("\\.");
        JsonNode claims = new ObjectMapper().readTree(Base64.getUrlDecoder().decode(parts[1]));
        assertThat(claims.path("iss").asText()).isEqualTo("control-plane");
        assertThat(claims.path("sub").asText()).isEqualTo("usrp_1");
        assertThat(claims.path("act").asText()).isEqualTo("credential.issue");
        assertThat(claims.path("htm").asText()).isEqualTo("POST");
        assertThat(claims.path("htu").asText()).isEqualTo("/internal/v1/x");
        assertThat(claims.path("rid").asText()).isEqualTo("req_1");
        assertThat(claims.path("exp").asLong() - claims.path("iat").asLong()).isBetween(1L, 60L);
        assertThat(Base64.getUrlDecoder().decode(claims.path("bsh").asText()))
                .isEqualTo(MessageDigest.getInstance("SHA-256").digest(body));
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret, "HmacSHA256"));
        assertThat(Base64.getUrlDecoder().decode(parts[2]))
                .isEqualTo(mac.doFinal((parts[0] + "." + parts[1]).getBytes(StandardCharsets.US_ASCII)));
    }

    @Test
    void shortSecretIsRefused() {
        assertThatThrownBy(() -> new Statements(new byte[16], new ObjectMapper()))
                .hasMessageContaining("32 bytes");
    }
}
