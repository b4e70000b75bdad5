package io.penstock.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How long a node that was killed takes until it serves a large stream of which no index is left. */
@Command(
        name = "recovery",
        mixinStandardHelpOptions = true,
        description = "Start after a kill with many messages and no index, until /healthz is ok.")
final class RecoveryCommand implements Callable<Integer> {
    private static final int IN_FLIGHT = 10_000;
    private static final long POLL_NANOS = 20_000_000;
    private static final long LIMIT_NANOS = 600_000_000_000L;

    @Mixin
    private Servers servers;

    @Option(names = "--messages", defaultValue = "5000000", description = "Messages in the stream. Default: 5000000.")
    private int messages;

    @Option(names = "--size", defaultValue = "32", description = "Bytes of each. Default: 32.")
    private int size;

    @Override
    public Integer call() throws IOException, InterruptedException {
        boolean whole = true;
        for (Side side : Side.values()) {
            Path folder = Files.createTempDirectory("penstock-recovery-");
            Node node = new Node(servers.executable(side), folder, "r");
            try {
                whole &= measure(side, node);
            } finally {
                node.stop(true);
                ServerProcess.deleteAll(folder);
            }
        }
        return whole ? 0 : 1;
    }

    private boolean measure(Side side, Node node) throws IOException, InterruptedException {
        node.configureAlone();
        node.start();
        awaitHealth(node, System.nanoTime());
        ask(node, "STREAM.CREATE.R", "{\"name\":\"R\",\"subjects\":[\"r\"],\"storage\":\"file\"}");
        // Some at a time: each run of the load has a limit of its own.
        for (int left = messages; left > 0; left -= Math.min(left, 1_000_000)) {
            PipelinedLoad.run(List.of(node), List.of("r"), IN_FLIGHT, Math.min(left, 1_000_000), size);
        }
        node.stop(true);
        removeIndexes(node.store());
        long begin = System.nanoTime();
        node.start();
        double seconds = awaitHealth(node, begin) / 1e9;
        boolean whole = ask(node, "STREAM.INFO.R", "").at("/state/messages").asLong() == messages;
        System.out.printf(
                "%-9s %,d messages of %d bytes: ok after %.1f s, %,.0f messages/s%s%n",
                Servers.plain(side),
                messages,
                size,
                seconds,
                messages / seconds,
                whole ? "" : ", but NOT ALL are there");
        return whole;
    }

    private static long awaitHealth(Node node, long begin) throws IOException {
        while (!node.healthy()) {
            if (System.nanoTime() - begin > LIMIT_NANOS) {
                throw new IOException(node.name() + " is not well after " + LIMIT_NANOS / 1_000_000_000 + " s");
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
        return System.nanoTime() - begin;
    }

    /** Ours end in .idx, the reference's is index.db. */
    private static void removeIndexes(Path store) throws IOException {
        try (Stream<Path> files = Files.walk(store)) {
            for (Path file : files.toList()) {
                String name = file.getFileName().toString();
                if (name.endsWith(".idx") || name.equals("index.db")) {
                    Files.delete(file);
                }
            }
        }
    }

    private static JsonNode ask(Node node, String subject, String body) throws IOException, InterruptedException {
        try (ApiConnection connection = ApiConnection.open(node.port())) {
            return new Api(connection).ask(subject, body.getBytes(StandardCharsets.UTF_8));
        }
    }
}
