package io.penstock.benchmarks;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.locks.LockSupport;

/** A server under measurement: its process, port and the CPU time it has used. */
final class ServerProcess implements AutoCloseable {
    private static final long START_LIMIT_NANOS = 30_000_000_000L;
    private static final long POLL_NANOS = 500_000;

    private final Process process;
    private final int port;
    private final Path folder;
    private final long startNanos;

    private ServerProcess(Process process, int port, Path folder, long startNanos) {
        this.process = process;
        this.port = port;
        this.folder = folder;
        this.startNanos = startNanos;
    }

    /** Starts a server with this configuration and waits for its port. */
    static ServerProcess start(Path executable, String configuration) throws IOException {
        int port = freePort();
        Path folder = Files.createTempDirectory("penstock-bench-");
        Path file = folder.resolve("server.conf");
        Files.writeString(
                file,
                "listen: \"127.0.0.1:" + port + "\"\n"
                        + configuration.replace(
                                "@STORE@", folder.resolve("store").toString()));
        long begin = System.nanoTime();
        Process process = new ProcessBuilder(executable.toString(), "-c", file.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("server.log").toFile())
                .start();
        while (!accepts(port)) {
            if (!process.isAlive() || System.nanoTime() - begin > START_LIMIT_NANOS) {
                process.destroyForcibly();
                throw new IOException(
                        executable + " did not listen; its log:\n" + Files.readString(folder.resolve("server.log")));
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
        return new ServerProcess(process, port, folder, System.nanoTime() - begin);
    }

    String url() {
        return "nats://127.0.0.1:" + port;
    }

    /** Time from fork to the first accepted connection. */
    long startNanos() {
        return startNanos;
    }

    /** User and system time used so far, in nanoseconds; resolution 10 ms. */
    long cpuNanos() throws IOException {
        return Proc.cpuNanos(process.pid());
    }

    /** Resident memory in MiB. */
    long residentMib() throws IOException {
        return Proc.residentMib(process.pid());
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        process.onExit().join();
        deleteAll(folder);
    }

    /** One file after the other: a list of those of 100,000 streams does not fit into this process. */
    static void deleteAll(Path folder) throws IOException {
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path directory, IOException failure) throws IOException {
                if (failure != null) {
                    throw failure;
                }
                Files.delete(directory);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static boolean accepts(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
