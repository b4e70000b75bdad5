package io.penstock.claims;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Runs a real server and the real command-line tool for tests tagged `wire`. */
public final class TestingNatsServer implements AutoCloseable {
    private static final Duration START_LIMIT = Duration.ofSeconds(90);

    // Every caller looks at other ports, so two calls in a row never give the same.
    private static final AtomicInteger NEXT_PORT = new AtomicInteger(new SecureRandom().nextInt(12000));

    private final Process process;
    private final int port;
    private final Path log;

    private TestingNatsServer(Process process, int port, Path log) {
        this.process = process;
        this.port = port;
        this.log = log;
    }

    /** An executable from the environment variable, PATH or Go's default folder; empty when there is none. */
    public static Optional<Path> find(String variable, String name) {
        List<Path> candidates = new ArrayList<>();
        String named = System.getenv(variable);
        if (named != null) {
            candidates.add(Path.of(named));
        }
        for (String folder : System.getenv().getOrDefault("PATH", "").split(":", -1)) {
            if (!folder.isEmpty()) {
                candidates.add(Path.of(folder, name));
            }
        }
        candidates.add(Path.of(System.getProperty("user.home"), "go", "bin", name));
        return candidates.stream().filter(Files::isExecutable).findFirst();
    }

    /** The reference server, or empty when this machine has none. */
    public static Optional<Path> referenceServer() {
        return find("PENSTOCK_REFERENCE_SERVER", "nats-server");
    }

    /** The command-line tool, or empty when this machine has none. */
    public static Optional<Path> commandLine() {
        return find("PENSTOCK_NATS_CLI", "nats");
    }

    /** A port that was free a moment ago, below the range that outgoing connections use. */
    public static int freePort() throws IOException {
        for (int attempt = 0; attempt < 200; attempt++) {
            int candidate = 20000 + NEXT_PORT.getAndIncrement() % 12000;
            if (isFree(candidate)) {
                return candidate;
            }
        }
        throw new IOException("no free port between 20000 and 32000");
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Starts the executable with this configuration and waits until it listens. */
    public static TestingNatsServer start(Path executable, int port, Path folder, String configuration)
            throws IOException {
        Path file = folder.resolve("server-" + port + ".conf");
        Files.writeString(file, configuration);
        Path log = folder.resolve("server-" + port + ".out");
        Process process = new ProcessBuilder(
                        executable.toString(), "-a", "127.0.0.1", "-p", String.valueOf(port), "-c", file.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        TestingNatsServer server = new TestingNatsServer(process, port, log);
        server.awaitListening();
        return server;
    }

    public int port() {
        return port;
    }

    public String url() {
        return "nats://127.0.0.1:" + port;
    }

    /** Everything the server said. */
    public String log() throws IOException {
        return Files.readString(log);
    }

    private void awaitListening() throws IOException {
        long deadline = System.nanoTime() + START_LIMIT.toNanos();
        while (System.nanoTime() < deadline && process.isAlive()) {
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
                return;
            } catch (IOException e) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
            }
        }
        process.destroyForcibly();
        throw new IOException("the server did not listen on port " + port + ":\n" + log());
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                // Its folder is removed next: it must write no more.
                process.destroyForcibly().waitFor(60, TimeUnit.SECONDS);
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    /**
     * What a finished command left.
     *
     * @param exitCode its exit code
     * @param output standard output and error together
     */
    public record Outcome(int exitCode, String output) {}

    /** Runs a command to its end, with a home folder of its own, at most 60 seconds. */
    public static Outcome run(Path home, List<String> command) throws IOException, InterruptedException {
        Path output = Files.createTempFile(home, "command", ".out");
        Files.createDirectories(home.resolve("config"));
        Files.createDirectories(home.resolve("data"));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                .redirectOutput(output.toFile());
        builder.environment().put("HOME", home.toString());
        builder.environment().put("XDG_CONFIG_HOME", home.resolve("config").toString());
        builder.environment().put("XDG_DATA_HOME", home.resolve("data").toString());
        Process process = builder.start();
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IOException("command did not end: " + command);
        }
        return new Outcome(process.exitValue(), Files.readString(output));
    }
}
