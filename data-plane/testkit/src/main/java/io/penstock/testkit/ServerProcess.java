package io.penstock.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A broker in a process of its own, ours or the reference: started with a configuration, stopped, killed and started
 * again on the same port and store.
 */
public final class ServerProcess implements AutoCloseable {
    private static final Duration START_LIMIT = Duration.ofSeconds(90);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(60);

    private static final int FIRST_PORT = 12_000;
    private static final int PORTS = 8_000;

    /** Every caller looks at other ports. */
    private static final AtomicInteger NEXT_PORT =
            new AtomicInteger(ThreadLocalRandom.current().nextInt(PORTS));

    private final Path executable;
    private final Path folder;
    private final Path configuration;
    private final int port;
    private Process process;

    private ServerProcess(Path executable, Path folder, Path configuration, int port) {
        this.executable = executable;
        this.folder = folder;
        this.configuration = configuration;
        this.port = port;
    }

    /**
     * Starts a server and waits until it listens.
     *
     * @param folder for configuration, log and store; {@code @STORE@} and {@code @DIR@} in the configuration become its
     *     store folder and the folder itself
     */
    public static ServerProcess start(Path executable, Path folder, String configuration) {
        try {
            Files.createDirectories(folder);
            int port = freePort();
            Path file = folder.resolve("server.conf");
            Files.writeString(
                    file,
                    "listen: \"127.0.0.1:" + port + "\"\n"
                            + configuration
                                    .replace("@STORE@", folder.resolve("store").toString())
                                    .replace("@DIR@", folder.toString()));
            ServerProcess server = new ServerProcess(executable, folder, file, port);
            server.start();
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts it again after {@link #stop} or {@link #kill}, on the same port and store. */
    public void start() {
        List<String> command = new ArrayList<>(List.of(executable.toString(), "-c", configuration.toString()));
        try {
            process = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        long deadline = System.nanoTime() + START_LIMIT.toNanos();
        while (!accepts()) {
            if (!process.isAlive() || System.nanoTime() > deadline) {
                process.destroyForcibly();
                throw new IllegalStateException(executable + " does not listen; its log:\n" + logText());
            }
            LockSupport.parkNanos(2_000_000);
        }
    }

    /** SIGTERM and the end of the process. */
    public int stop() {
        process.destroy();
        return awaitEnd();
    }

    /** SIGKILL. */
    public void kill() {
        process.destroyForcibly();
        awaitEnd();
    }

    private int awaitEnd() {
        try {
            if (!process.waitFor(STOP_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IllegalStateException(executable + " did not end; its log:\n" + logText());
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    public long pid() {
        return process.pid();
    }

    public int port() {
        return port;
    }

    public String url() {
        return "nats://127.0.0.1:" + port;
    }

    public Path folder() {
        return folder;
    }

    public Path configuration() {
        return configuration;
    }

    public Path log() {
        return folder.resolve("server.log");
    }

    public String logText() {
        try {
            return Files.exists(log()) ? Files.readString(log()) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        if (process.isAlive()) {
            kill();
        }
    }

    /**
     * A port nobody listens on now, below those that systems give to outgoing connections: a server that is killed finds
     * it free when it starts again.
     */
    public static int freePort() {
        for (int attempt = 0; attempt < PORTS; attempt++) {
            int candidate = FIRST_PORT + NEXT_PORT.getAndIncrement() % PORTS;
            try (ServerSocket socket = new ServerSocket()) {
                socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), candidate));
                return candidate;
            } catch (IOException e) {
                // Somebody has it.
            }
        }
        throw new IllegalStateException("no free port from " + FIRST_PORT);
    }

    private boolean accepts() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
