package io.penstock.controlplane.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MessagesTest {
    @Test
    void textIsShownAsTextAndBytesAsBase64() {
        assertThat(Messages.payload("héllo\n".getBytes(StandardCharsets.UTF_8), 100))
                .isEqualTo(new Messages.Payload("utf8", "héllo\n", false));
        assertThat(Messages.payload(new byte[] {0, 1, 2}, 100))
                .isEqualTo(new Messages.Payload("base64", "AAEC", false));
        assertThat(Messages.payload(new byte[] {(byte) 0xff}, 100).encoding()).isEqualTo("base64");
        assertThat(Messages.payload(new byte[0], 100)).isEqualTo(new Messages.Payload("utf8", "", false));
    }

    @Test
    void cutNeverTearsACharacterApart() {
        byte[] text = "aé€😀b".getBytes(StandardCharsets.UTF_8);
        for (int preview = 0; preview < text.length; preview++) {
            Messages.Payload payload = Messages.payload(text, preview);
            assertThat(payload.encoding()).as("cut at " + preview).isEqualTo("utf8");
            assertThat("aé€😀b").startsWith(payload.data());
            assertThat(payload.truncated()).isTrue();
        }
    }

    @Test
    void headersKeepTheirCaseAndEveryValue() {
        byte[] block = "NATS/1.0\r\nA: 1\r\na:2\r\nA:3 \r\n\r\n".getBytes(StandardCharsets.UTF_8);
        assertThat(Messages.headers(block)).isEqualTo(Map.of("A", List.of("1", "3"), "a", List.of("2")));
        assertThat(Messages.headers(new byte[0])).isEmpty();
    }
}
