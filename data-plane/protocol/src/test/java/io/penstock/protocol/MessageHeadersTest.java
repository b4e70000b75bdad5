package io.penstock.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class MessageHeadersTest {
    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static String text(byte[] block) {
        return new String(block, StandardCharsets.ISO_8859_1);
    }

    @Test
    void readsTheFirstValueOfAKeyByItsExactName() {
        byte[] block = bytes("NATS/1.0\r\nA:1\r\nB: two \r\na: small\r\nA: 3\r\n\r\n");

        assertThat(MessageHeaders.get(block, "A")).isEqualTo("1");
        assertThat(MessageHeaders.get(block, "B")).isEqualTo("two");
        assertThat(MessageHeaders.get(block, "a")).isEqualTo("small");
        assertThat(MessageHeaders.get(block, "C")).isNull();
        assertThat(MessageHeaders.getAll(block, "A")).containsExactly("1", "3");
    }

    @Test
    void readsStatusAndDescription() {
        byte[] block =
                MessageHeaders.status(409, "Consumer Deleted").add("X", 5).build();

        assertThat(text(block)).isEqualTo("NATS/1.0 409 Consumer Deleted\r\nX: 5\r\n\r\n");
        assertThat(MessageHeaders.status(block)).isEqualTo("409");
        assertThat(MessageHeaders.description(block)).isEqualTo("Consumer Deleted");
        assertThat(text(MessageHeaders.stripStatus(block))).isEqualTo("NATS/1.0\r\nX: 5\r\n\r\n");
        assertThat(MessageHeaders.status(bytes("NATS/1.0\r\n\r\n"))).isEmpty();
    }

    @Test
    void setsAndRemovesLines() {
        byte[] block = MessageHeaders.builder()
                .add("A", "1")
                .add("B", "2")
                .add("A", "3")
                .build();

        assertThat(text(MessageHeaders.set(block, "A", "9"))).isEqualTo("NATS/1.0\r\nB: 2\r\nA: 9\r\n\r\n");
        assertThat(text(MessageHeaders.remove(block, "A"))).isEqualTo("NATS/1.0\r\nB: 2\r\n\r\n");
        assertThat(MessageHeaders.remove(MessageHeaders.remove(block, "A"), "B"))
                .isEmpty();
        assertThat(text(MessageHeaders.set(new byte[0], "K", "v"))).isEqualTo("NATS/1.0\r\nK: v\r\n\r\n");
    }

    @Test
    void toleratesBlocksThatAreNone() {
        for (String odd : new String[] {"", "x", "NATS/1.0", "NATS/1.0\r\nA", "NATS/1.0\r\nA:", "\n\n\n"}) {
            byte[] block = bytes(odd);
            assertThat(MessageHeaders.isBlock(block)).isFalse();
            MessageHeaders.get(block, "A");
            MessageHeaders.status(block);
            MessageHeaders.stripStatus(block);
            MessageHeaders.remove(block, "A");
        }
    }
}
