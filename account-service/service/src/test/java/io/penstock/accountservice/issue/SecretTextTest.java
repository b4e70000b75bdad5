package io.penstock.accountservice.issue;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class SecretTextTest {
    @Test
    void isWrittenOnceAndWipedByThat() throws Exception {
        byte[] secret = "line one\nSUSECRET".getBytes(StandardCharsets.US_ASCII);
        SecretText text = new SecretText(secret);
        assertThat(text.toString()).doesNotContain("SUSECRET");
        byte[] json = new ObjectMapper().writeValueAsBytes(text);
        assertThat(new String(json, StandardCharsets.US_ASCII)).isEqualTo("\"line one\\nSUSECRET\"");
        assertThat(secret).containsOnly(0);
    }
}
