package io.penstock.chaos.workload;

import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamSubscription;
import io.nats.client.Message;
import io.nats.client.PullSubscribeOptions;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.penstock.chaos.host.Client;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Somebody who pulls from a durable consumer and acknowledges with an answer; now and then it refuses a message or
 * forgets it.
 */
final class Worker {
    private static final Duration ANSWER = Duration.ofSeconds(1);
    private static final int BATCH = 10;

    /** What the workers of one consumer know together. */
    static final class Shared {
        /** Values delivered at least once. */
        final Set<String> delivered = ConcurrentHashMap.newKeySet();

        /** Values whose acknowledgement was answered, with the time of the answer. */
        final Map<String, Long> acknowledged = new ConcurrentHashMap<>();

        final Operations acks;

        /** Whose acknowledgements are not repeated: without an answer the message may come again. */
        Shared() {
            this(1);
        }

        /** @param attempts how often an acknowledgement is sent that is not answered */
        Shared(int attempts) {
            acks = new Operations("acknowledgements", attempts);
        }
    }

    /** A durable that workers pull from together. */
    static ConsumerConfiguration consumer(String durable) {
        return ConsumerConfiguration.builder()
                .durable(durable)
                .ackPolicy(AckPolicy.Explicit)
                .ackWait(Duration.ofSeconds(5))
                .maxAckPending(500)
                .build();
    }

    private final Supplier<Client> clients;
    private final String stream;
    private final String durable;
    private final Shared shared;
    private final Random random;
    private final int refusedPercent;
    private final int forgottenPercent;
    private final long pauseNanos;
    private final Violations violations;
    private final AtomicBoolean stopping = new AtomicBoolean();
    private final AtomicBoolean gentle = new AtomicBoolean();
    private final Thread thread;

    Worker(
            Supplier<Client> clients,
            String stream,
            String durable,
            Shared shared,
            long seed,
            int refusedPercent,
            int forgottenPercent,
            long pauseNanos,
            Violations violations) {
        this.clients = clients;
        this.stream = stream;
        this.durable = durable;
        this.shared = shared;
        this.random = new Random(seed);
        this.refusedPercent = refusedPercent;
        this.forgottenPercent = forgottenPercent;
        this.pauseNanos = pauseNanos;
        this.violations = violations;
        this.thread = Thread.ofPlatform().name("worker-" + durable).unstarted(this::work);
    }

    void start() {
        thread.start();
    }

    /** From now on every message is acknowledged: the stream is to be emptied. */
    void drain() {
        gentle.set(true);
    }

    void stop() {
        stopping.set(true);
        try {
            thread.join(Duration.ofSeconds(30));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void work() {
        try (Client client = clients.get()) {
            Connection connection = client.nats();
            JetStreamSubscription subscription = null;
            while (!stopping.get()) {
                try {
                    if (subscription == null) {
                        subscription =
                                connection.jetStream().subscribe(null, PullSubscribeOptions.bind(stream, durable));
                    }
                    for (Message message : subscription.fetch(BATCH, ANSWER)) {
                        handle(message);
                    }
                } catch (IOException | JetStreamApiException | IllegalStateException e) {
                    LockSupport.parkNanos(50_000_000L);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void handle(Message message) throws InterruptedException {
        long received = System.nanoTime();
        String value = new String(message.getData(), StandardCharsets.UTF_8);
        Long answered = shared.acknowledged.get(value);
        if (answered != null && received - answered > ANSWER.toNanos() * 2) {
            violations.add(
                    "I8",
                    "%s came again to %s %d ms after its acknowledgement was answered"
                            .formatted(value, durable, (received - answered) / 1_000_000));
        }
        shared.delivered.add(value);
        LockSupport.parkNanos(pauseNanos);
        int chance = random.nextInt(100);
        if (!gentle.get() && chance < refusedPercent) {
            message.nak();
        } else if (gentle.get() || chance >= refusedPercent + forgottenPercent) {
            acknowledge(message, value);
        }
    }

    private void acknowledge(Message message, String value) throws InterruptedException {
        if (shared.acks.run(0, () -> isAcknowledged(message))) {
            shared.acknowledged.put(value, System.nanoTime());
        }
    }

    private static boolean isAcknowledged(Message message) throws InterruptedException {
        try {
            message.ackSync(ANSWER);
            return true;
        } catch (TimeoutException | IllegalStateException e) {
            // Unknown: it may come again.
            return false;
        }
    }
}
