package io.penstock.consensus;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ThreadedGroupLoopTest {
    private final ThreadedGroupLoop loop = new ThreadedGroupLoop("loop", Clock.systemUTC());

    @AfterEach
    void close() {
        loop.close();
    }

    private void await(CountDownLatch latch) throws InterruptedException {
        assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void runsTasksOfManyThreadsOnceAndInEachThreadsOrder() throws InterruptedException {
        int threads = 4;
        int each = 20_000;
        int[] next = new int[threads];
        AtomicInteger outOfOrder = new AtomicInteger();
        CountDownLatch done = new CountDownLatch(threads * each);
        List<Thread> producers = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            int me = t;
            producers.add(Thread.ofPlatform().start(() -> {
                for (int i = 0; i < each; i++) {
                    int number = i;
                    loop.execute(() -> {
                        if (next[me]++ != number || !loop.inLoop()) {
                            outOfOrder.incrementAndGet();
                        }
                        done.countDown();
                    });
                }
            }));
        }
        for (Thread producer : producers) {
            producer.join();
        }
        await(done);
        assertThat(outOfOrder).hasValue(0);
    }

    @Test
    void runsTimersInOrderOfTheirTimesAndNotCancelledOnes() throws InterruptedException {
        List<Integer> order = new ArrayList<>();
        CountDownLatch done = new CountDownLatch(1);
        loop.execute(() -> {
            // Far apart: the machine may hold the thread up between two of these lines.
            loop.schedule(1_500_000_000, () -> {
                order.add(3);
                done.countDown();
            });
            loop.schedule(10_000_000, () -> order.add(1));
            loop.schedule(750_000_000, () -> order.add(2));
            loop.schedule(500_000_000, () -> order.add(9)).cancel();
        });
        await(done);
        assertThat(order).containsExactly(1, 2, 3);
    }

    @Test
    void goesOnAfterATaskThatThrows() throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        loop.execute(() -> {
            throw new IllegalStateException("on purpose");
        });
        loop.execute(done::countDown);
        await(done);
    }
}
