package io.penstock.jetstream;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Which seeds a simulation plays: so many in every build, always the same ones; others with system properties.
 *
 * <ul>
 *   <li>{@code penstock.seed}: this one alone
 *   <li>{@code penstock.seeds}: so many instead of the usual number
 *   <li>{@code penstock.seeds.from}: the first of them, default 1
 *   <li>{@code penstock.seeds.threads}: how many at a time, default one a processor, at most two
 * </ul>
 *
 * All are played, whatever fails: the message names the seeds that did, and each is told at once.
 */
public final class Seeds {
    private static final long TELL_NANOS = 10_000_000_000L;

    /** A run of a simulation; throws when a promise does not hold. */
    public interface Simulation {
        void play(int seed);
    }

    private final String name;
    private final Simulation simulation;
    private final int first;
    private final int count;
    private final AtomicInteger next;
    private final AtomicInteger played = new AtomicInteger();
    private final List<Integer> failed = Collections.synchronizedList(new ArrayList<>());
    private final long begin = System.nanoTime();

    /** Guarded by this. */
    private long told = begin;

    /** Guarded by this; the first failure. */
    private Throwable cause;

    private Seeds(String name, int usual, Simulation simulation) {
        this.name = name;
        this.simulation = simulation;
        int one = Integer.getInteger("penstock.seed", 0);
        this.first = one > 0 ? one : Integer.getInteger("penstock.seeds.from", 1);
        this.count = one > 0 ? 1 : Integer.getInteger("penstock.seeds", usual);
        this.next = new AtomicInteger(first);
    }

    /** Plays a simulation with the seeds that are wanted; {@code usual} is how many in every build. */
    public static void play(String name, int usual, Simulation simulation) {
        new Seeds(name, usual, simulation)
                .run(Integer.getInteger(
                        "penstock.seeds.threads",
                        Math.min(2, Runtime.getRuntime().availableProcessors())));
    }

    private void run(int threads) {
        List<Thread> helpers = new ArrayList<>();
        for (int i = 1; i < threads; i++) {
            helpers.add(Thread.ofPlatform().name("simulation-" + i).start(this::work));
        }
        work();
        for (Thread helper : helpers) {
            try {
                helper.join();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        tell(true);
        if (!failed.isEmpty()) {
            throw new AssertionError(
                    failed.size() + " of " + count + " seeds of " + name + " failed: " + failed + "; play one with"
                            + " -Dpenstock.seed=" + failed.getFirst() + "; the first: " + cause.getMessage(),
                    cause);
        }
    }

    private void work() {
        for (int seed = next.getAndIncrement(); seed - first < count; seed = next.getAndIncrement()) {
            try {
                simulation.play(seed);
            } catch (AssertionError | RuntimeException e) {
                fail(seed, e);
            }
            played.incrementAndGet();
            tell(false);
        }
    }

    private synchronized void fail(int seed, Throwable failure) {
        failed.add(seed);
        if (cause == null) {
            cause = failure;
        }
        System.err.println(name + ": seed " + seed + " failed: " + failure.getMessage());
    }

    private synchronized void tell(boolean end) {
        long now = System.nanoTime();
        if (now - told > TELL_NANOS || (end && now - begin > TELL_NANOS)) {
            told = now;
            System.err.printf(
                    "%s: %,d of %,d seeds played in %,d s, %d failed%n",
                    name, played.get(), count, (now - begin) / 1_000_000_000L, failed.size());
        }
    }
}
