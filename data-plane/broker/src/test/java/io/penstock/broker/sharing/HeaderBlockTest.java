package io.penstock.broker.sharing;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class HeaderBlockTest {
    @Test
    void setsAHeaderWhereThereWasNone() {
        assertThat(text(HeaderBlock.with(new byte[0], "Nats-Request-Info", "{}")))
                .isEqualTo("NATS/1.0\r\nNats-Request-Info: {}\r\n\r\n");
    }

    @Test
    void keepsOtherHeadersAndTheirOrder() {
        byte[] block = bytes("NATS/1.0\r\nA: 1\r\nB: 2\r\n\r\n");

        assertThat(text(HeaderBlock.with(block, "X", "y"))).isEqualTo("NATS/1.0\r\nA: 1\r\nB: 2\r\nX: y\r\n\r\n");
    }

    @Test
    void removesWhatAClientForged() {
        byte[] block = bytes("NATS/1.0\r\nNats-Request-Info: forged\r\nnats-request-info: forged too\r\nA: 1\r\n\r\n");

        assertThat(text(HeaderBlock.with(block, "Nats-Request-Info", "true")))
                .isEqualTo("NATS/1.0\r\nA: 1\r\nNats-Request-Info: true\r\n\r\n");
    }

    @Test
    void readsTheFirstValue() {
        assertThat(HeaderBlock.first(bytes("NATS/1.0\r\nA: 1\r\nA: 2\r\n\r\n"), "A"))
                .isEqualTo("1");
        assertThat(HeaderBlock.first(bytes("NATS/1.0\r\nAB: 1\r\n\r\n"), "A")).isNull();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }
}
