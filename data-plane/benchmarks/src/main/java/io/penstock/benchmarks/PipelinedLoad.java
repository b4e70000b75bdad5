package io.penstock.benchmarks;

import io.penstock.benchmarks.NatsBench.Figures;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** Requests to several subjects with a fixed number under way: each answer lets the next one go. */
final class PipelinedLoad {
    private static final long LIMIT_SECONDS = 180;
    private static final byte[] ERROR = "\"error\"".getBytes(StandardCharsets.ISO_8859_1);

    private final byte[] body;
    private final AtomicInteger unsent;
    private final AtomicInteger unanswered;
    private final CountDownLatch end = new CountDownLatch(1);
    private final Latencies latencies = new Latencies();
    private final AtomicReference<String> failure = new AtomicReference<>();

    private PipelinedLoad(int messages, int size) {
        this.body = new byte[size];
        this.unsent = new AtomicInteger(messages);
        this.unanswered = new AtomicInteger(messages);
    }

    /**
     * Sends and waits for all answers.
     *
     * @param nodes the subjects are spread over a connection to each of these
     * @param inFlight messages under way over all subjects
     */
    static Figures run(List<Node> nodes, List<String> subjects, int inFlight, int messages, int size)
            throws IOException, InterruptedException {
        PipelinedLoad load = new PipelinedLoad(messages, size);
        List<ApiConnection> connections = new ArrayList<>();
        try {
            for (Node node : nodes) {
                connections.add(ApiConnection.open(node.port()));
            }
            long begin = System.nanoTime();
            for (int i = 0; i < inFlight; i++) {
                int stream = i % subjects.size();
                load.next(connections.get(stream % connections.size()), subjects.get(stream));
            }
            if (!load.end.await(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException(
                        load.unanswered.get() + " of " + messages + " unanswered after " + LIMIT_SECONDS + " s");
            }
            if (load.failure.get() != null) {
                throw new IOException("a request was refused: " + load.failure.get());
            }
            double rate = messages * 1e9 / (System.nanoTime() - begin);
            synchronized (load.latencies) {
                return new Figures(rate, load.latencies.at(0.50) * 1_000);
            }
        } finally {
            for (ApiConnection connection : connections) {
                connection.close();
            }
        }
    }

    private void next(ApiConnection connection, String subject) throws IOException {
        if (unsent.getAndDecrement() <= 0) {
            return;
        }
        long sent = System.nanoTime();
        connection.request(subject, body, (status, answer) -> {
            synchronized (latencies) {
                latencies.add(System.nanoTime() - sent);
            }
            if (answer == null || status != 0 || contains(answer)) {
                failure.compareAndSet(
                        null,
                        answer == null ? "connection lost" : status + " " + new String(answer, StandardCharsets.UTF_8));
                end.countDown();
                return;
            }
            if (unanswered.decrementAndGet() == 0) {
                end.countDown();
            }
            try {
                next(connection, subject);
            } catch (IOException e) {
                failure.compareAndSet(null, e.toString());
                end.countDown();
            }
        });
    }

    private static boolean contains(byte[] answer) {
        // An acknowledgement begins with the name of the stream, an error with "error".
        int limit = Math.min(answer.length, ERROR.length + 1);
        for (int i = 0; i < ERROR.length; i++) {
            if (i + 1 >= limit || answer[i + 1] != ERROR[i]) {
                return false;
            }
        }
        return true;
    }
}
