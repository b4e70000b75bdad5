package io.penstock.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Three nodes in three zones, made by configuration files. */
final class Cluster implements AutoCloseable {
    private static final long FORM_SECONDS = 60;
    private static final long POLL_NANOS = 20_000_000L;

    private final Path folder;
    private final List<Node> nodes = new ArrayList<>();

    private Cluster(Path folder) {
        this.folder = folder;
    }

    /** Starts three nodes with this in their jetstream block, and waits until a stream can be made. */
    static Cluster start(Path executable, String jetStream) throws IOException, InterruptedException {
        Cluster cluster = new Cluster(Files.createTempDirectory("penstock-bench-"));
        // Who interrupts a measurement leaves nothing behind.
        Runtime.getRuntime().addShutdownHook(new Thread(cluster::abandon));
        try {
            List<Integer> routes =
                    List.of(ServerProcess.freePort(), ServerProcess.freePort(), ServerProcess.freePort());
            for (int i = 0; i < routes.size(); i++) {
                Node node = new Node(executable, cluster.folder, "n" + (i + 1));
                node.configure(jetStream, routes.get(i), routes);
                cluster.nodes.add(node);
                node.start();
            }
            cluster.awaitHealthy(cluster.nodes, FORM_SECONDS);
            cluster.awaitStreams();
            return cluster;
        } catch (IOException | InterruptedException | RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    /** A cluster that has just formed may not have its groups yet. */
    private void awaitStreams() throws IOException, InterruptedException {
        long until = System.nanoTime() + FORM_SECONDS * 1_000_000_000L;
        try (ApiConnection connection = ApiConnection.open(nodes.getFirst().port())) {
            Api api = new Api(connection);
            while (true) {
                try {
                    String leader = api.create(Api.stream("probe", "probe"));
                    api.ask("STREAM.DELETE.probe", new byte[0]);
                    System.err.println("three nodes, the first stream is led by " + leader);
                    return;
                } catch (IOException e) {
                    if (System.nanoTime() > until) {
                        throw e;
                    }
                    LockSupport.parkNanos(10 * POLL_NANOS);
                }
            }
        }
    }

    /** Waits until these say that they are ready; the time it took, in nanoseconds. */
    long awaitHealthy(List<Node> which, long limitSeconds) throws IOException {
        long begin = System.nanoTime();
        for (Node node : which) {
            while (!node.healthy()) {
                if (System.nanoTime() - begin > limitSeconds * 1_000_000_000L) {
                    throw new IOException(node.name() + " is not ready after " + limitSeconds + " s; its log is "
                            + Files.readAllLines(node.log()).stream()
                                    .skip(Math.max(
                                            0, Files.readAllLines(node.log()).size() - 20L))
                                    .toList());
                }
                LockSupport.parkNanos(POLL_NANOS);
            }
        }
        return System.nanoTime() - begin;
    }

    List<Node> nodes() {
        return nodes;
    }

    Node node(String name) throws IOException {
        return nodes.stream()
                .filter(n -> n.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IOException("no node is called '" + name + "'"));
    }

    /** CPU time of all nodes. */
    long cpuNanos() throws IOException {
        long sum = 0;
        for (Node node : nodes) {
            sum += Proc.cpuNanos(node.pid());
        }
        return sum;
    }

    private void abandon() {
        try {
            close();
        } catch (IOException e) {
            System.err.println(folder + " is left behind: " + e.getMessage());
        }
    }

    @Override
    public void close() throws IOException {
        nodes.forEach(n -> n.stop(true));
        if (Files.exists(folder)) {
            ServerProcess.deleteAll(folder);
        }
    }
}
