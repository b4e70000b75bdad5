package io.penstock.chaos.workload;

import io.nats.client.Connection;
import io.nats.client.JetStream;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamOptions;
import io.nats.client.api.PublishAck;
import io.nats.client.impl.Headers;
import io.nats.client.impl.NatsMessage;
import io.penstock.chaos.host.ChaosCluster;
import io.penstock.chaos.host.Client;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Synchronous publishers, each with a connection and a thread of its own. A value is published once; every second
 * carries an id and is published again while the outcome is unknown, so that a duplicate would show.
 */
final class Publishers {
    /** Short, or it would hide how soon a new leader answers. */
    private static final Duration PATIENCE = Duration.ofMillis(250);

    private static final long PAUSE_NANOS = 15_000_000L;

    /** An acknowledged message. */
    record Acked(long sequence, String value, String subject, int publisher) {}

    private final ChaosCluster cluster;
    private final String prefix;
    private final int subjects;
    private final AckGap gap = new AckGap();
    private final AtomicBoolean stopping = new AtomicBoolean();

    /** Rises when everybody is to connect anew. */
    private final AtomicInteger spreads = new AtomicInteger();

    private final List<Thread> threads = new ArrayList<>();

    /** Guarded by this. */
    private final List<Acked> acked = new ArrayList<>();

    /** Guarded by this: sent, outcome unknown. */
    private final Set<String> unknown = new HashSet<>();

    /** Guarded by this: every value sent, with its subject. */
    private final Map<String, String> sent = new HashMap<>();

    Publishers(ChaosCluster cluster, String prefix, int count, int subjects) {
        this.cluster = cluster;
        this.prefix = prefix;
        this.subjects = subjects;
        for (int publisher = 0; publisher < count; publisher++) {
            int number = publisher;
            threads.add(Thread.ofPlatform().name("publisher-" + number).unstarted(() -> publish(number)));
        }
    }

    void start() {
        threads.forEach(Thread::start);
    }

    void stop() {
        stopping.set(true);
        for (Thread thread : threads) {
            try {
                thread.join(Duration.ofSeconds(30));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    AckGap gap() {
        return gap;
    }

    /** Has the publishers connect to different nodes again, as a service with many clients finds them. */
    void spread() {
        spreads.incrementAndGet();
    }

    synchronized List<Acked> acked() {
        return List.copyOf(acked);
    }

    synchronized Set<String> unknown() {
        return Set.copyOf(unknown);
    }

    synchronized Map<String, String> sent() {
        return Map.copyOf(sent);
    }

    private void publish(int publisher) {
        int next = 0;
        while (!stopping.get()) {
            next = publishFrom(next, publisher);
        }
    }

    /** Publishes over one connection until another is wanted; the number of the next value. */
    private int publishFrom(int first, int publisher) {
        int spread = spreads.get();
        try (Client client = cluster.connectFirst("app", publisher)) {
            Connection connection = client.nats();
            JetStream jetStream = connection.jetStream(
                    JetStreamOptions.builder().requestTimeout(PATIENCE).build());
            int n = first;
            for (; !stopping.get() && spread == spreads.get(); n++) {
                String value = "p" + publisher + "-" + n;
                String subject = prefix + "." + (n * 7 + publisher) % subjects;
                note(value, subject);
                if (n % 2 == 0) {
                    withId(jetStream, publisher, subject, value);
                } else {
                    once(jetStream, publisher, subject, value, new Headers());
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
            return n;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private void withId(JetStream jetStream, int publisher, String subject, String value) {
        Headers headers = new Headers().add("Nats-Msg-Id", value);
        for (int attempt = 0; attempt < 20; attempt++) {
            if (once(jetStream, publisher, subject, value, headers)) {
                return;
            }
            LockSupport.parkNanos(PAUSE_NANOS * 4);
        }
    }

    private boolean once(JetStream jetStream, int publisher, String subject, String value, Headers headers) {
        try {
            PublishAck ack = jetStream.publish(NatsMessage.builder()
                    .subject(subject)
                    .headers(headers)
                    .data(value.getBytes(StandardCharsets.UTF_8))
                    .build());
            gap.acked(publisher);
            record(new Acked(ack.getSeqno(), value, subject, publisher));
            return true;
        } catch (IOException | JetStreamApiException | IllegalStateException e) {
            // Whatever it says, the message may be stored: a time-out and a lost connection say nothing.
            doubt(value);
            return false;
        }
    }

    private synchronized void note(String value, String subject) {
        sent.put(value, subject);
    }

    private synchronized void record(Acked message) {
        acked.add(message);
        unknown.remove(message.value());
    }

    private synchronized void doubt(String value) {
        unknown.add(value);
    }
}
