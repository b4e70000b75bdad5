package io.penstock.broker.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** One stream of bytes in every pair of pieces, and byte for byte, over real sockets. */
class SplitStreamTest {
    private static final String STREAM = "CONNECT {\"verbose\":false,\"headers\":true}\r\nSUB s.> 1\r\nPUB s.a 8\r\n"
            + "\r\nMSG\0\r\n\r\nHPUB s.b r 12 15\r\nNATS/1.0\r\n\r\n\r\nx\r\nSUB t.\rq 2\r\nUNSUB 1 3\r\nPUB s.c 1\r\ny\r\n"
            + "PUB s.d 1\r\nz\r\nPUB s.e 1\r\nPING\r\n";

    @Test
    void everySplitHasTheSameEffect() throws Exception {
        byte[] bytes = STREAM.getBytes(StandardCharsets.ISO_8859_1);
        try (TestingServer server = TestingServer.start()) {
            String whole;
            try (RawClient client = server.open()) {
                client.send(bytes);
                whole = client.untilClosed();
            }
            assertThat(whole)
                    .startsWith("MSG s.a 1 8\r\n\r\nMSG\0\r\n\r\nHMSG s.b 1 r 12 15\r\n")
                    .contains("MSG s.c 1 1\r\ny\r\n")
                    .doesNotContain("s.d")
                    .endsWith("-ERR 'Unknown Protocol Operation'\r\n");
            for (int cut = 1; cut < bytes.length; cut++) {
                try (RawClient client = server.open()) {
                    client.send(java.util.Arrays.copyOf(bytes, cut));
                    client.send(java.util.Arrays.copyOfRange(bytes, cut, bytes.length));
                    assertThat(client.untilClosed()).as("cut at %d", cut).isEqualTo(whole);
                }
            }
            try (RawClient client = server.open()) {
                for (byte one : bytes) {
                    client.send(new byte[] {one});
                }
                assertThat(client.untilClosed()).as("byte by byte").isEqualTo(whole);
            }
        }
    }

    @Test
    void garbageHarmsNobodyElse() throws Exception {
        String[] garbage = {"HELLO\r\n", "GET / HTTP/1.1\r\n\r\n", "SSH-2.0-x\r\n", "\0\1\2\3".repeat(1000)};
        try (TestingServer server = TestingServer.start();
                RawClient reader = server.connect();
                RawClient publisher = server.connect()) {
            assertThat(reader.exchange("SUB ok 1\r\n")).isEmpty();
            for (int i = 0; i < 200; i++) {
                try (RawClient bad = server.open()) {
                    bad.send(garbage[i % garbage.length]);
                    assertThat(bad.untilClosed()).isEqualTo("-ERR 'Unknown Protocol Operation'\r\n");
                }
                publisher.publish("ok", "x");
                assertThat(reader.until("x\r\n")).isEqualTo("MSG ok 1 1\r\n");
            }
        }
    }
}
