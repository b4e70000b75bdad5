package io.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/** A server in a process of its own: ours from the class path of the test, or a real one. */
final class TestingNode implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path directory;
    private final Path output;
    private final List<String> command;
    private Process process;

    private TestingNode(Path directory, List<String> command) {
        this.directory = directory;
        this.output = directory.resolve("output.txt");
        this.command = command;
    }

    /** Starts ours; the ports file goes into the directory. */
    static TestingNode start(Path directory, String... flags) throws IOException {
        TestingNode node = new TestingNode(directory, ours(directory, flags));
        node.launch();
        return node;
    }

    /** Starts a real server of this executable. */
    static TestingNode start(Path executable, Path directory, String... flags) throws IOException {
        List<String> command = new ArrayList<>(List.of(executable.toString()));
        command.addAll(List.of(flags));
        command.addAll(List.of("--ports_file_dir", directory.toString()));
        TestingNode node = new TestingNode(directory, command);
        node.launch();
        return node;
    }

    private static List<String> ours(Path directory, String... flags) {
        List<String> command = new ArrayList<>(program());
        command.addAll(List.of(flags));
        command.addAll(List.of("--ports_file_dir", directory.toString()));
        return command;
    }

    /** The command that runs our main. */
    static List<String> program() {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName());
    }

    /** Runs ours to its end. */
    static Outcome run(Path directory, String... flags) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(program());
        command.addAll(List.of(flags));
        Path errors = directory.resolve("errors.txt");
        Process process = new ProcessBuilder(command)
                .redirectError(errors.toFile())
                .directory(directory.toFile())
                .start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        return new Outcome(process.exitValue(), out, Files.readString(errors));
    }

    /** How a process ended. */
    record Outcome(int code, String out, String errors) {}

    void launch() throws IOException {
        Files.deleteIfExists(output);
        process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
    }

    /** Waits for the ports file, which comes when everything listens. */
    JsonNode ports() throws IOException {
        Path file = portsFile();
        JsonNode[] found = {JSON.missingNode()};
        Awaitility.await().atMost(PATIENCE).until(() -> {
            found[0] = read(file);
            return found[0].has("nats") || !process.isAlive();
        });
        assertThat(file).as(() -> log()).exists();
        return found[0];
    }

    /** What a file holds so far: a real server may still be writing it. */
    private static JsonNode read(Path file) {
        try {
            return JSON.readTree(Files.readString(file));
        } catch (IOException e) {
            return JSON.missingNode();
        }
    }

    Path portsFile() {
        return directory.resolve("nats-server_" + process.pid() + ".ports");
    }

    int port(String kind) throws IOException {
        return URI.create(ports().get(kind).get(0).asText()).getPort();
    }

    void awaitLog(String text) {
        Awaitility.await("'" + text + "' in the log").atMost(PATIENCE).until(() -> {
            boolean alive = process.isAlive();
            return log().contains(text) || !alive;
        });
        assertThat(log()).contains(text);
    }

    String log() {
        try {
            return Files.readString(output);
        } catch (IOException e) {
            return "";
        }
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    void signal(String name) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
        assertThat(kill.waitFor()).isZero();
    }

    /** TERM at once, without a process that sends it. */
    void terminate() {
        process.destroy();
    }

    /** The exit code, once it has ended. */
    int awaitExit() throws InterruptedException {
        assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .as(() -> "ends; log:\n" + log())
                .isTrue();
        return process.exitValue();
    }

    /** A page of the monitoring port. */
    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + port("monitoring") + "/" + path);
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
        }
    }

    JsonNode json(String path) throws IOException, InterruptedException {
        return JSON.readTree(get(path).body());
    }

    Client connect(String credentials) throws IOException {
        return new Client(port("nats"), credentials);
    }

    /** Ends the process at once; when this returns it writes no more, and its folder can be removed. */
    @Override
    public void close() {
        try {
            process.destroyForcibly().waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A client that writes protocol lines and reads until one begins as expected. */
    static final class Client implements AutoCloseable {
        private final Socket socket;
        private final BufferedReader in;
        private final String info;

        Client(int port, String credentials) throws IOException {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setSoTimeout((int) PATIENCE.toMillis());
            in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
            info = in.readLine();
            send("CONNECT {\"verbose\":false,\"protocol\":1,\"headers\":true,\"no_responders\":true,\"name\":\"t\","
                    + "\"lang\":\"java\",\"version\":\"1\"" + credentials + "}\r\n");
        }

        String info() {
            return info;
        }

        void send(String text) throws IOException {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        }

        /** The next line that begins so; null when the server closed before. */
        String await(String start) throws IOException {
            String line;
            do {
                line = in.readLine();
            } while (line != null && !line.startsWith(start));
            return line;
        }

        void ping() throws IOException {
            send("PING\r\n");
            assertThat(await("PONG")).isNotNull();
        }

        /** Publishes with a reply inbox and returns the body of the first answer. */
        String request(String subject, String body) throws IOException {
            send("SUB _INBOX.t 77\r\nPUB " + subject + " _INBOX.t " + body.length() + "\r\n" + body
                    + "\r\nUNSUB 77 1\r\n");
            await("MSG _INBOX.t 77");
            return in.readLine();
        }

        /** As {@link #request}; an answer that is only a status is its first line of headers. */
        String requestOrStatus(String subject, String body) throws IOException {
            send("SUB _INBOX.t 77\r\nPUB " + subject + " _INBOX.t " + body.length() + "\r\n" + body
                    + "\r\nUNSUB 77 1\r\n");
            String line = in.readLine();
            while (!line.contains("MSG _INBOX.t 77")) {
                line = in.readLine();
            }
            return in.readLine();
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
