package io.penstock.broker.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.ConnectionType;
import io.penstock.broker.UserLimits;
import io.penstock.broker.WebSocketOptions;
import io.penstock.broker.permission.Permissions;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WebSocketTest {
    private static final WebSocketOptions PLAIN = WebSocketOptions.plain("127.0.0.1", 0);

    private static TestingServer start(WebSocketOptions options) throws Exception {
        return TestingServer.start(TestingServer.options().webSocket(options).build());
    }

    private static WebSocketOptions origins(boolean same, List<String> allowed) {
        return new WebSocketOptions(
                "127.0.0.1",
                0,
                null,
                null,
                same,
                allowed,
                Duration.ofSeconds(60),
                false,
                null,
                "user-cookie",
                null,
                null,
                Map.of("X-Served-By", "us"),
                null,
                null,
                null);
    }

    private static int port(TestingServer server) {
        return server.broker.webSocketAddress().getPort();
    }

    /** Gathers everything into one stream, and remembers the close code. */
    private static final class Reader implements WebSocket.Listener {
        private final ByteArrayOutputStream received = new ByteArrayOutputStream();
        private int largest;
        private volatile int closeCode;

        @Override
        public CompletionStage<?> onBinary(WebSocket socket, ByteBuffer data, boolean last) {
            synchronized (this) {
                largest = Math.max(largest, data.remaining());
                byte[] bytes = new byte[data.remaining()];
                data.get(bytes);
                received.writeBytes(bytes);
            }
            socket.request(1);
            return null;
        }

        @Override
        public CompletionStage<?> onClose(WebSocket socket, int statusCode, String reason) {
            closeCode = statusCode;
            return null;
        }

        private synchronized String text() {
            return received.toString(StandardCharsets.ISO_8859_1);
        }

        private void await(String wanted) throws InterruptedException {
            LimitsTest.await(() -> text().contains(wanted));
        }
    }

    private static WebSocket connect(TestingServer server, Reader reader, String... headers) throws Exception {
        WebSocket.Builder builder = HttpClient.newHttpClient().newWebSocketBuilder();
        for (int i = 0; i < headers.length; i += 2) {
            builder.header(headers[i], headers[i + 1]);
        }
        return builder.buildAsync(URI.create("ws://127.0.0.1:" + port(server) + "/"), reader)
                .get(60, TimeUnit.SECONDS);
    }

    private static void send(WebSocket socket, String text) throws Exception {
        socket.sendBinary(ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1)), true)
                .get(60, TimeUnit.SECONDS);
    }

    @Test
    void speaksTheProtocolInFramesOfAnyShape() throws Exception {
        try (TestingServer server = start(PLAIN)) {
            Reader reader = new Reader();
            WebSocket socket = connect(server, reader, "X-Forwarded-For", "10.1.2.3, 10.0.0.1");
            reader.await("INFO {");
            assertThat(reader.text()).contains("\"port\":" + port(server), "\"client_ip\":\"10.1.2.3\"");
            send(socket, "CONNECT {\"verbose\":false}\r\nSUB a 1\r\nPU");
            socket.sendText("B a 5\r\nhel", false).get(60, TimeUnit.SECONDS);
            socket.sendText("lo\r\nPING\r\n", true).get(60, TimeUnit.SECONDS);
            reader.await("MSG a 1 5\r\nhello\r\nPONG\r\n");
            assertThat(server.broker.connections().getFirst().type()).isEqualTo(ConnectionType.WEBSOCKET);

            send(socket, "HELLO\r\n");
            LimitsTest.await(() -> reader.closeCode == 1002);
            assertThat(reader.text()).endsWith("-ERR 'Unknown Protocol Operation'\r\n");
        }
    }

    @Test
    void meetsTcpClients() throws Exception {
        try (TestingServer server = start(PLAIN);
                RawClient tcp = server.connect()) {
            Reader reader = new Reader();
            WebSocket socket = connect(server, reader);
            send(socket, "CONNECT {\"verbose\":false}\r\nSUB big 1\r\nPING\r\n");
            reader.await("PONG");
            String payload = "0123456789".repeat(50_000);
            tcp.publish("big", payload);
            reader.await("MSG big 1 500000\r\n" + payload + "\r\n");
            socket.abort();
            LimitsTest.await(() -> server.broker.connections().size() == 1);
        }
    }

    @Test
    void sendsBrowsersSmallFrames() throws Exception {
        try (TestingServer server = start(PLAIN)) {
            Reader reader = new Reader();
            WebSocket socket = connect(server, reader, "User-Agent", "Mozilla/5.0 (X11)");
            send(socket, "CONNECT {\"verbose\":false}\r\nSUB big 1\r\nPUB big 20000\r\n" + "x".repeat(20_000) + "\r\n");
            reader.await("x".repeat(20_000) + "\r\n");
            assertThat(reader.largest).isEqualTo(4096);
        }
    }

    @Test
    void takesCredentialsFromCookies() throws Exception {
        try (TestingServer server = TestingServer.start(
                TestingServer.options().webSocket(origins(false, List.of())).build(),
                broker -> broker.setAuthenticator(new TestingServer.Users(broker, false)
                        .add("ann", "A", Permissions.ALL, UserLimits.UNLIMITED)))) {
            Reader reader = new Reader();
            WebSocket socket = connect(server, reader, "Cookie", "x=1; user-cookie=ann");
            send(socket, "CONNECT {\"verbose\":false}\r\nPING\r\n");
            reader.await("PONG");
            Reader refused = new Reader();
            send(connect(server, refused, "Cookie", "user-cookie=eve"), "CONNECT {\"verbose\":false}\r\n");
            LimitsTest.await(() -> refused.closeCode == 1008);
        }
    }

    private static String request(int port, String method, String... headers) throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
                RawClient client = new RawClient(socket, false)) {
            client.send(
                    method + " / HTTP/1.1\r\nHost: here:" + port + "\r\n" + String.join("\r\n", headers) + "\r\n\r\n");
            return client.until("\r\n\r\n");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "POST|Upgrade: websocket|Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==|13|405",
                "GET|Upgrade: other|Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==|13|400",
                "GET|Upgrade: websocket|Sec-WebSocket-Key: short|13|400",
                "GET|Upgrade: websocket|Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==|12|400",
                "GET|Upgrade: websocket|Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==|13|101",
            })
    void checksTheUpgrade(String method, String upgrade, String key, String version, int status) throws Exception {
        try (TestingServer server = start(PLAIN)) {
            String answer = request(
                    port(server),
                    method,
                    upgrade,
                    "Connection: keep-alive, Upgrade",
                    key,
                    "Sec-WebSocket-Version: " + version);
            assertThat(answer).startsWith("HTTP/1.1 " + status + " ");
            assertThat(answer.contains("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
                            || answer.contains("sec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo="))
                    .isEqualTo(status == 101);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "true, '', 'http://here:PORT', 101",
        "true, '', 'http://elsewhere:PORT', 403",
        "false, 'https://app.example', 'https://app.example', 101",
        "false, 'https://app.example', 'https://evil.example', 403",
        "false, 'https://app.example', 'http://app.example:443', 403",
        "false, 'https://app.example', '', 101",
    })
    void checksTheOriginOfBrowsers(boolean same, String allowed, String origin, int status) throws Exception {
        try (TestingServer server = start(origins(same, allowed.isEmpty() ? List.of() : List.of(allowed)))) {
            String from = origin.replace("PORT", String.valueOf(port(server)));
            String answer = request(
                    port(server),
                    "GET",
                    "Upgrade: websocket",
                    "Connection: Upgrade",
                    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
                    "Sec-WebSocket-Version: 13",
                    origin.isEmpty() ? "X-None: 1" : "Origin: " + from);
            assertThat(answer).startsWith("HTTP/1.1 " + status + " ");
        }
    }

    @Test
    void refusesFramesWithoutMask() throws Exception {
        try (TestingServer server = start(PLAIN);
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), port(server));
                RawClient client = new RawClient(socket, false)) {
            upgrade(client, "");
            client.send(new byte[] {(byte) 0x82, 6, 'P', 'I', 'N', 'G', '\r', '\n'});
            String rest = client.untilClosed();
            // A close frame with code 1002.
            assertThat(rest)
                    .contains(new String(new byte[] {(byte) 0x88}, StandardCharsets.ISO_8859_1))
                    .contains(new String(new byte[] {0x03, (byte) 0xea}, StandardCharsets.ISO_8859_1));
        }
    }

    @Test
    void boundsWhatStrangersMaySend() throws Exception {
        try (TestingServer server = TestingServer.start(
                        TestingServer.options().webSocket(PLAIN).build(),
                        broker -> broker.setAuthenticator(new TestingServer.Users(broker, false)));
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), port(server));
                RawClient client = new RawClient(socket, false)) {
            upgrade(client, "");
            // One frame of 32 MiB that would have to be gathered whole.
            client.send(new byte[] {(byte) 0x82, (byte) 0xff, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0});
            client.send(new byte[80 * 1024]);
            assertThat(client.untilClosed()).contains("-ERR 'maximum control line exceeded'");
        }
    }

    private static String upgrade(RawClient client, String extension) throws Exception {
        client.send("GET / HTTP/1.1\r\nHost: here\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n" + extension + "\r\n");
        return client.until("\r\n\r\n");
    }

    @Test
    void compressesLargeFramesWhenBothSidesWantTo() throws Exception {
        try (TestingServer server = start(PLAIN.withCompression());
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), port(server));
                RawClient client = new RawClient(socket, false)) {
            String answer = upgrade(client, "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n");
            assertThat(answer).containsIgnoringCase("server_no_context_takeover; client_no_context_takeover");
            assertThat(inflate(frame(client))).startsWith("INFO {");
            client.send(masked("SUB z 1\r\nPUB z 1000\r\n" + "z".repeat(1000) + "\r\n"));
            String got = "";
            while (!got.endsWith("z\r\n")) {
                got += inflate(frame(client));
            }
            assertThat(got).endsWith("MSG z 1 1000\r\n" + "z".repeat(1000) + "\r\n");
        }
    }

    /** First byte and payload of the next frame. */
    private static byte[][] frame(RawClient client) throws Exception {
        byte[] head = client.bytes(2);
        int length = head[1] & 0x7f;
        if (length == 126) {
            byte[] more = client.bytes(2);
            length = (more[0] & 0xff) << 8 | (more[1] & 0xff);
        }
        return new byte[][] {head, client.bytes(length)};
    }

    private static String inflate(byte[][] frame) throws Exception {
        boolean compressed = (frame[0][0] & 0x40) != 0;
        if (!compressed) {
            return new String(frame[1], StandardCharsets.ISO_8859_1);
        }
        java.util.zip.Inflater inflater = new java.util.zip.Inflater(true);
        byte[] input = java.util.Arrays.copyOf(frame[1], frame[1].length + 4);
        input[input.length - 2] = (byte) 0xff;
        input[input.length - 1] = (byte) 0xff;
        inflater.setInput(input);
        byte[] out = new byte[64 * 1024];
        int length = inflater.inflate(out);
        inflater.end();
        return new String(out, 0, length, StandardCharsets.ISO_8859_1);
    }

    private static byte[] masked(String text) {
        byte[] payload = text.getBytes(StandardCharsets.ISO_8859_1);
        ByteBuffer frame = ByteBuffer.allocate(payload.length + 8);
        frame.put((byte) 0x82).put((byte) (0x80 | 126)).putShort((short) payload.length);
        frame.putInt(0).put(payload);
        return frame.array();
    }
}
