package io.penstock.benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Many requests of the API, so many at a time, with their latencies and what went wrong. */
final class BoundedRequests {
    /** An answer that takes longer is given up, so that a server which forgets one does not end the measurement. */
    private static final long PATIENCE_SECONDS = 20;

    private static final long TELL_NANOS = 5_000_000_000L;

    private final ApiConnection connection;
    private final String what;
    private final int total;
    private final int parallel;
    private final Semaphore room;
    private final long begin = System.nanoTime();

    /** Guarded by this, like all below. */
    private final Latencies latencies = new Latencies();

    private int failed;
    private int lost;
    private String firstFailure = "";
    private long told = begin;
    private long end = begin;

    BoundedRequests(ApiConnection connection, int parallel, String what, int total) {
        this.connection = connection;
        this.what = what;
        this.total = total;
        this.parallel = parallel;
        this.room = new Semaphore(parallel);
    }

    /** Sends as soon as there is room. */
    void send(String subject, byte[] body) throws IOException, InterruptedException {
        acquire(1);
        long sent = System.nanoTime();
        connection.request(subject, body, (status, answer) -> {
            answered(System.nanoTime() - sent, status, answer);
            room.release();
        });
    }

    private void acquire(int permits) throws InterruptedException {
        if (!room.tryAcquire(permits, PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            lose(permits);
        }
    }

    private synchronized void lose(int permits) {
        lost += permits;
    }

    private synchronized void answered(long latency, int status, byte[] answer) {
        String text = answer == null ? "connection lost" : new String(answer, StandardCharsets.UTF_8);
        end = System.nanoTime();
        if (status != 0 || answer == null || text.contains("\"error\":")) {
            failed++;
            if (firstFailure.isEmpty()) {
                firstFailure = status + " " + text;
            }
            return;
        }
        latencies.add(latency);
        if (end - told > TELL_NANOS) {
            told = end;
            System.err.printf("%s: %,d of %,d after %,.0f s%n", what, latencies.count(), total, (end - begin) / 1e9);
        }
    }

    /** Waits for the last answers. */
    void finish() throws InterruptedException {
        if (!room.tryAcquire(Math.max(0, parallel - lost()), PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            lose(Math.max(0, parallel - lost() - room.availablePermits()));
        }
    }

    private synchronized int lost() {
        return lost;
    }

    synchronized int succeeded() {
        return latencies.count();
    }

    synchronized Latencies latencies() {
        return latencies;
    }

    double seconds() {
        return Math.max(1, end - begin) / 1e9;
    }

    /** What went wrong, for people; nothing when nothing did. */
    synchronized String trouble() {
        return failed + lost == 0
                ? ""
                : String.format("; %,d failed, %,d without answer: %s", failed, lost, firstFailure);
    }
}
