package io.penstock.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Ports for nodes that are named in each other's files before they start. They lie below those that systems give to
 * outgoing connections: a node that is away for a while finds its own free when it comes back.
 */
final class TestingPorts {
    private static final int FIRST = 12_000;
    private static final int COUNT = 8_000;

    /** Every caller looks at other ports. */
    private static final AtomicInteger NEXT =
            new AtomicInteger(ThreadLocalRandom.current().nextInt(COUNT));

    private TestingPorts() {}

    static List<Integer> free(int count) {
        List<Integer> ports = new ArrayList<>();
        for (int attempt = 0; attempt < COUNT && ports.size() < count; attempt++) {
            int candidate = FIRST + NEXT.getAndIncrement() % COUNT;
            if (isFree(candidate)) {
                ports.add(candidate);
            }
        }
        if (ports.size() < count) {
            throw new IllegalStateException("no " + count + " free ports from " + FIRST);
        }
        return ports;
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
