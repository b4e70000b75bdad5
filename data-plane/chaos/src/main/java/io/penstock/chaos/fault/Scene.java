package io.penstock.chaos.fault;

import io.nats.client.Connection;
import io.penstock.chaos.host.ChaosCluster;
import io.penstock.chaos.host.ChaosNode;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/**
 * What a fault works on.
 *
 * @param random decides who is hit and when
 * @param stream the stream under load
 * @param endNanos when faults end, on {@link System#nanoTime}
 */
public record Scene(ChaosCluster cluster, Random random, Connection client, String stream, long endNanos) {
    /** A node picked at random. */
    ChaosNode anyNode() {
        List<ChaosNode> nodes = cluster.nodes();
        return nodes.get(random.nextInt(nodes.size()));
    }

    /** The stream's leader half of the time, when it is known. */
    ChaosNode leaderOrAny() {
        if (random.nextBoolean()) {
            String leader = Leaders.of(client, stream);
            if (!leader.isEmpty()) {
                return cluster.node(leader);
            }
        }
        return anyNode();
    }

    boolean over() {
        return System.nanoTime() >= endNanos;
    }

    /** Waits a time between the two, at most to the end of the faults. */
    void pause(Duration least, Duration most) {
        await(Math.min(endNanos, System.nanoTime() + between(least, most)));
    }

    /** Waits a time, whatever the end is: what was broken stays broken so long. */
    void hold(Duration least, Duration most) {
        await(System.nanoTime() + between(least, most));
    }

    private long between(Duration least, Duration most) {
        return least.toNanos() + (long) (random.nextDouble() * (most.toNanos() - least.toNanos()));
    }

    private static void await(long until) {
        while (System.nanoTime() < until) {
            LockSupport.parkNanos(Math.min(50_000_000L, until - System.nanoTime()));
        }
    }
}
