package io.penstock.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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
    private static final int COUNT = 500;
    private static final int BLOCKS = 16;

    /** Keeps other processes that run tests away from this one's ports: those of a node that is away look free. */
    private static FileChannel held;

    /** Every caller looks at other ports. */
    private static final AtomicInteger NEXT =
            new AtomicInteger(ThreadLocalRandom.current().nextInt(COUNT));

    private static final int BLOCK = block();

    private TestingPorts() {}

    /** The first port of those nobody else looks at as long as this process lives. */
    private static int block() {
        for (int block = 0; block < BLOCKS; block++) {
            try {
                held = FileChannel.open(
                        Path.of(System.getProperty("java.io.tmpdir"), "penstock-test-ports." + block),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE);
                if (held.tryLock() != null) {
                    return FIRST + block * COUNT;
                }
                held.close();
            } catch (IOException e) {
                // Somebody else's file: the next.
            }
        }
        return FIRST + ThreadLocalRandom.current().nextInt(BLOCKS) * COUNT;
    }

    static List<Integer> free(int count) {
        List<Integer> ports = new ArrayList<>();
        for (int attempt = 0; attempt < COUNT && ports.size() < count; attempt++) {
            int candidate = BLOCK + NEXT.getAndIncrement() % COUNT;
            if (isFree(candidate)) {
                ports.add(candidate);
            }
        }
        if (ports.size() < count) {
            throw new IllegalStateException("no " + count + " free ports from " + BLOCK);
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
