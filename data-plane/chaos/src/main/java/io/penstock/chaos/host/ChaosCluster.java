package io.penstock.chaos.host;

import io.nats.client.Connection;
import io.nats.client.Nats;
import io.nats.client.Options;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** The nodes of a run. */
public final class ChaosCluster implements AutoCloseable {
    private static final long POLL_NANOS = Duration.ofMillis(50).toNanos();

    private final Network network;
    private final List<ChaosNode> nodes = new ArrayList<>();

    /**
     * @param executable the server: ours, or the reference
     * @param jetStream more of the jetstream block of the configuration
     */
    public ChaosCluster(int size, Path folder, Path executable, String jetStream) {
        network = new Network(size);
        for (int number = 1; number <= size; number++) {
            nodes.add(new ChaosNode(number, size, folder.resolve("n" + number), executable, network, jetStream));
        }
    }

    public Network network() {
        return network;
    }

    public List<ChaosNode> nodes() {
        return nodes;
    }

    /** The node of this name. */
    public ChaosNode node(String name) {
        return nodes.stream()
                .filter(node -> node.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no node " + name));
    }

    public void start() {
        nodes.forEach(ChaosNode::start);
    }

    /** Everything mended, every node running. */
    public void heal() {
        network.heal();
        for (ChaosNode node : nodes) {
            node.clock().shift(0);
            if (node.running()) {
                node.thaw();
            } else {
                node.start();
            }
        }
    }

    /** Waits until all nodes call themselves healthy; the time it took, or null when the limit passed. */
    public Duration awaitHealthy(Duration limit) {
        return await(limit, () -> nodes.stream().allMatch(ChaosNode::healthy));
    }

    /** Waits for a condition; the time it took, or null when the limit passed. */
    public static Duration await(Duration limit, BooleanSupplier condition) {
        long begin = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - begin > limit.toNanos()) {
                return null;
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
        return Duration.ofNanos(System.nanoTime() - begin);
    }

    /** A connection that goes on to another node by itself. */
    public Client connect(String user) {
        return connect(options(user).servers(nodes.stream().map(ChaosNode::url).toArray(String[]::new)));
    }

    /** As {@link #connect(String)}, to this node first; numbered from 0, going round. */
    public Client connectFirst(String user, int node) {
        List<String> urls = new ArrayList<>(nodes.stream().map(ChaosNode::url).toList());
        Collections.rotate(urls, -(node % urls.size()));
        return connect(options(user).servers(urls.toArray(String[]::new)).noRandomize());
    }

    /** A connection to this node, numbered from 0, going round; of the others it knows what the node says. */
    public Client connectKnowingOne(String user, int node) {
        return connect(options(user).server(nodes.get(node % nodes.size()).url()));
    }

    private static Options.Builder options(String user) {
        return new Options.Builder()
                .userInfo(user, user)
                .maxReconnects(-1)
                .reconnectWait(Duration.ofMillis(50))
                .reconnectJitter(Duration.ofMillis(20))
                .connectionTimeout(Duration.ofSeconds(1))
                .pingInterval(Duration.ofMillis(700))
                .maxPingsOut(2)
                .errorListener(new io.nats.client.ErrorListener() {});
    }

    private static Client connect(Options.Builder options) {
        return new Client(connected(options.build()));
    }

    private static Connection connected(Options options) {
        long until = System.nanoTime() + Duration.ofMinutes(1).toNanos();
        while (true) {
            try {
                return Nats.connect(options);
            } catch (IOException e) {
                if (System.nanoTime() > until) {
                    throw new IllegalStateException("no node takes a connection: " + e.getMessage(), e);
                }
                LockSupport.parkNanos(POLL_NANOS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted", e);
            }
        }
    }

    @Override
    public void close() {
        nodes.forEach(ChaosNode::close);
        network.close();
    }
}
