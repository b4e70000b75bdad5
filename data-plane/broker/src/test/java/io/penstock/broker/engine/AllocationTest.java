package io.penstock.broker.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.penstock.broker.BrokerOptions;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Routing must not feed the garbage collector. */
class AllocationTest {
    private static final int MESSAGES = 200_000;
    private static final int BYTES_PER_MESSAGE = 16;

    @Test
    void routesAMessageWithinSixteenBytes() throws Exception {
        BrokerOptions options = TestingServer.options().eventLoops(1).build();
        try (TestingServer server = TestingServer.start(options);
                RawClient reader = server.connect();
                RawClient publisher = server.connect()) {
            assertThat(reader.exchange("SUB alloc.* 1\r\n")).isEmpty();
            byte[] batch = ("PUB alloc.one reply.to 128\r\n" + "x".repeat(128) + "\r\n")
                    .repeat(100)
                    .getBytes(StandardCharsets.ISO_8859_1);
            long perMessage = "MSG alloc.one 1 reply.to 128\r\n".length() + 130L;
            run(reader, publisher, batch, perMessage);

            long before = allocatedByLoop(server);
            run(reader, publisher, batch, perMessage);
            long allocated = allocatedByLoop(server) - before;

            assertThat((double) allocated / MESSAGES).isLessThan(BYTES_PER_MESSAGE);
        }
    }

    private static void run(RawClient reader, RawClient publisher, byte[] batch, long perMessage) throws Exception {
        AtomicLong left = new AtomicLong(perMessage * MESSAGES);
        Thread draining = Thread.ofPlatform().start(() -> {
            byte[] buffer = new byte[256 * 1024];
            try {
                InputStream in = reader.socket.getInputStream();
                while (left.get() > 0) {
                    left.addAndGet(-in.read(buffer));
                }
            } catch (java.io.IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        });
        for (int i = 0; i < MESSAGES / 100; i++) {
            publisher.send(batch);
        }
        draining.join();
        // The server may have asked once whether somebody is there.
        assertThat(left.get()).isIn(0L, -(long) "PING\r\n".length());
    }

    private static long allocatedByLoop(TestingServer server) throws Exception {
        AtomicLong bytes = new AtomicLong();
        CountDownLatch done = new CountDownLatch(1);
        server.broker.schedule(java.time.Duration.ZERO, () -> {
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            bytes.set(threads.getCurrentThreadAllocatedBytes());
            done.countDown();
        });
        done.await();
        return bytes.get();
    }
}
