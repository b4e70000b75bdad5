package io.penstock.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** A node of a cluster under measurement: stopped and started again with what it has on disk. */
final class Node {
    private static final long STOP_SECONDS = 120;

    private final Path executable;
    private final Path folder;
    private final String name;
    private final int port = ServerProcess.freePort();
    private final int monitor = ServerProcess.freePort();
    private Process process;

    Node(Path executable, Path folder, String name) throws IOException {
        this.executable = executable;
        this.folder = folder;
        this.name = name;
    }

    /** Writes the file that makes it part of a cluster. */
    void configure(String jetStream, int route, List<Integer> routes) throws IOException {
        String addresses =
                routes.stream().map(r -> "\"nats-route://127.0.0.1:" + r + '"').collect(Collectors.joining(", "));
        Files.writeString(folder.resolve(name + ".conf"), """
                server_name: %1$s
                server_tags: ["az:%1$s"]
                listen: "127.0.0.1:%2$d"
                http: "127.0.0.1:%3$d"
                jetstream { store_dir: "%4$s", unique_tag: "az:"
                  %5$s }
                cluster { name: bench, listen: "127.0.0.1:%6$d", routes: [%7$s] }
                """.formatted(
                        name, port, monitor, store(), jetStream, route, addresses));
    }

    /** Writes the file of a node that is alone. */
    void configureAlone() throws IOException {
        Files.writeString(folder.resolve(name + ".conf"), """
                listen: "127.0.0.1:%d"
                http: "127.0.0.1:%d"
                jetstream { store_dir: "%s" }
                """.formatted(port, monitor, store()));
    }

    void start() throws IOException {
        process = new ProcessBuilder(
                        executable.toString(),
                        "-c",
                        folder.resolve(name + ".conf").toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
                .start();
    }

    /** Lets it end in order, or kills it. */
    void stop(boolean kill) {
        if (process == null) {
            return;
        }
        if (kill) {
            process.destroyForcibly();
        } else {
            process.destroy();
        }
        try {
            if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                process.onExit().join();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    /** Whether it says that it is ready: it listens, and everything it has is up to date. */
    boolean healthy() throws IOException {
        if (!process.isAlive()) {
            throw new IOException(name + " has ended; the end of its log:\n" + tail());
        }
        try {
            HttpURLConnection http = (HttpURLConnection) URI.create("http://127.0.0.1:" + monitor + "/healthz")
                    .toURL()
                    .openConnection();
            http.setConnectTimeout(2_000);
            http.setReadTimeout(10_000);
            int code = http.getResponseCode();
            http.disconnect();
            return code == 200;
        } catch (IOException e) {
            return false;
        }
    }

    private String tail() {
        try {
            List<String> lines = Files.readAllLines(log());
            return String.join("\n", lines.subList(Math.max(0, lines.size() - 20), lines.size()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path log() {
        return folder.resolve(name + ".log");
    }

    Path store() {
        return folder.resolve(name + ".store");
    }

    String name() {
        return name;
    }

    int port() {
        return port;
    }

    String url() {
        return "nats://127.0.0.1:" + port;
    }

    long pid() {
        return process.pid();
    }
}
