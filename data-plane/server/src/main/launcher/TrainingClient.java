import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A short session of clients for the training run: what the first clients of a server do. Waits for the ports file,
 * then publishes, subscribes and uses a stream. Run from its source by train.sh.
 */
public final class TrainingClient {
    private static final int ROUNDS = 2_000;

    public static void main(String[] arguments) throws Exception {
        Path ports = Path.of(arguments[0], "nats-server_" + arguments[1] + ".ports");
        long deadline = System.nanoTime() + 60_000_000_000L;
        while (!Files.exists(ports)) {
            boolean running = ProcessHandle.of(Long.parseLong(arguments[1])).map(ProcessHandle::isAlive).orElse(false);
            if (!running || System.nanoTime() > deadline) {
                throw new IllegalStateException("the server does not start: no " + ports);
            }
            Thread.onSpinWait();
        }
        String listeners = Files.readString(ports);
        core(port(listeners, "nats"));
        jetStream(port(listeners, "nats"));
        System.out.println("training session done");
    }

    private static int port(String listeners, String scheme) {
        Matcher matcher = Pattern.compile(scheme + "://[^:]+:(\\d+)").matcher(listeners);
        if (!matcher.find()) {
            throw new IllegalStateException("no " + scheme + " listener in " + listeners);
        }
        return Integer.parseInt(matcher.group(1));
    }

    /** One connection; {@code expect} reads until a text has come. */
    private static final class Client implements AutoCloseable {
        private final Socket socket;
        private final InputStream in;
        private final OutputStream out;
        private final StringBuilder received = new StringBuilder();

        Client(int port) throws IOException {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setSoTimeout(20_000);
            socket.setTcpNoDelay(true);
            in = socket.getInputStream();
            out = socket.getOutputStream();
        }

        void send(String text) throws IOException {
            out.write(text.getBytes(StandardCharsets.ISO_8859_1));
        }

        void expect(String text) throws IOException {
            byte[] buffer = new byte[65_536];
            int at;
            while ((at = received.indexOf(text)) < 0) {
                int count = in.read(buffer);
                if (count < 0) {
                    throw new IOException("closed while waiting for " + text + ", got " + received);
                }
                received.append(new String(buffer, 0, count, StandardCharsets.ISO_8859_1));
            }
            received.delete(0, at + text.length());
        }

        void connect(String more) throws IOException {
            expect("INFO ");
            send("CONNECT {\"verbose\":false,\"pedantic\":false,\"lang\":\"java\",\"version\":\"1\",\"protocol\":1,"
                    + "\"headers\":true,\"no_responders\":true" + more + "}\r\nPING\r\n");
            expect("PONG");
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    /** Publishes to itself and to others, enough for the routing code to be profiled. */
    private static void core(int port) throws IOException {
        try (Client subscriber = new Client(port);
                Client publisher = new Client(port)) {
            subscriber.connect(",\"user\":\"a\",\"pass\":\"a\"");
            subscriber.send("SUB foo.* 1\r\nSUB foo.> q 2\r\nSUB bar 3\r\nPING\r\n");
            subscriber.expect("PONG");
            publisher.connect("");
            Thread reader = Thread.ofPlatform().start(() -> {
                try {
                    subscriber.expect("\r\nlast\r\n");
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            });
            StringBuilder batch = new StringBuilder();
            for (int i = 0; i < ROUNDS; i++) {
                batch.append("PUB foo.").append(i % 16).append(" 16\r\n0123456789abcdef\r\n");
                if (i % 100 == 0) {
                    batch.append("HPUB bar 21 26\r\nNATS/1.0\r\nA: long\r\n\r\nhello\r\n");
                    publisher.send(batch.toString());
                    batch.setLength(0);
                }
            }
            publisher.send(batch + "PUB nobody reply 0\r\n\r\nPUB bar 4\r\nlast\r\nPING\r\n");
            publisher.expect("PONG");
            reader.join(20_000);
            subscriber.send("UNSUB 1\r\nUNSUB 2 5\r\nPING\r\n");
            subscriber.expect("PONG");
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    private static void jetStream(int port) throws IOException {
        try (Client client = new Client(port)) {
            client.connect("");
            client.send("SUB _INBOX.t.> 1\r\nPING\r\n");
            client.expect("PONG");
            request(client, "$JS.API.INFO", "");
            request(client, "$JS.API.STREAM.CREATE.T",
                    "{\"name\":\"T\",\"subjects\":[\"t.>\"],\"storage\":\"file\",\"retention\":\"limits\",\"num_replicas\":1,"
                            + "\"max_msgs\":-1,\"max_bytes\":-1,\"max_age\":0,\"discard\":\"old\",\"allow_direct\":true}");
            for (int i = 0; i < 200; i++) {
                request(client, "t." + i % 4, "hello");
            }
            request(client, "$JS.API.CONSUMER.CREATE.T.C",
                    "{\"stream_name\":\"T\",\"action\":\"create\",\"config\":{\"durable_name\":\"C\",\"name\":\"C\","
                            + "\"ack_policy\":\"explicit\",\"deliver_policy\":\"all\",\"replay_policy\":\"instant\"}}");
            String pull = "{\"batch\":10,\"no_wait\":true}";
            client.send("PUB $JS.API.CONSUMER.MSG.NEXT.T.C _INBOX.t.pull " + pull.length() + "\r\n" + pull + "\r\n");
            client.expect("hello");
            request(client, "$JS.API.STREAM.INFO.T", "");
            request(client, "$JS.API.DIRECT.GET.T", "{\"seq\":1}");
        }
    }

    private static void request(Client client, String subject, String body) throws IOException {
        client.send("PUB " + subject + " _INBOX.t.r " + body.length() + "\r\n" + body + "\r\n");
        client.expect("MSG _INBOX.t.r");
        client.send("PING\r\n");
        client.expect("PONG");
    }

    private TrainingClient() {}
}
