package io.penstock.testkit.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.nats.client.Connection;
import io.nats.client.FetchConsumeOptions;
import io.nats.client.FetchConsumer;
import io.nats.client.JetStream;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.Message;
import io.nats.client.Nats;
import io.nats.client.Options;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.PublishAck;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.api.StreamInfo;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What is published, acknowledged and consumed over many crashes of one node, and the check of it: nothing acknowledged
 * is lost or changed, no sequence is used twice, no message whose ack was answered is delivered again.
 */
// "try": close() of the client's types may be interrupted, which ends a test anyway.
@SuppressWarnings("try")
final class CrashWorkload {
    private static final String STREAM = "CRASH";
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(60);

    /** The same under load: whoever waits when the server dies must not hold up the next cycle. */
    private static final Duration LOAD_LIMIT = Duration.ofSeconds(5);

    /** Payload by sequence, of every acknowledged publish since the first cycle. */
    private final Map<Long, String> acknowledged = new ConcurrentHashMap<>();

    /** Stream sequences whose ack the server has answered. */
    private final Set<Long> consumed = ConcurrentHashMap.newKeySet();

    /** What went wrong on the load's threads. */
    private final Queue<AssertionError> failures = new ConcurrentLinkedQueue<>();

    private final AtomicBoolean stop = new AtomicBoolean();
    private int cycle;

    int acknowledgedCount() {
        return acknowledged.size();
    }

    int consumedCount() {
        return consumed.size();
    }

    /** Makes stream and consumer; called once, before the first crash. */
    void create(String url) throws IOException, InterruptedException, JetStreamApiException {
        try (Connection connection = connect(url, ANSWER_LIMIT)) {
            JetStreamManagement management = connection.jetStreamManagement();
            management.addStream(StreamConfiguration.builder()
                    .name(STREAM)
                    .subjects("crash.>")
                    .storageType(StorageType.File)
                    .build());
            management.addOrUpdateConsumer(
                    STREAM,
                    ConsumerConfiguration.builder()
                            .durable("worker")
                            .ackPolicy(AckPolicy.Explicit)
                            .ackWait(Duration.ofSeconds(2))
                            .maxAckPending(500)
                            .build());
        }
    }

    /** Publishes and consumes until {@link #stopLoad} is called or the server is gone. */
    List<Thread> startLoad(String url) {
        stop.set(false);
        cycle++;
        return List.of(
                Thread.ofPlatform().start(() -> untilCrash(url, this::publishOneByOne)),
                Thread.ofPlatform().start(() -> untilCrash(url, this::publishManyInFlight)),
                Thread.ofPlatform().start(() -> untilCrash(url, this::consume)));
    }

    void stopLoad() {
        stop.set(true);
    }

    private interface Load {
        void run(Connection connection) throws IOException, JetStreamApiException, InterruptedException;
    }

    private void untilCrash(String url, Load load) {
        try (Connection connection = connect(url, LOAD_LIMIT)) {
            load.run(connection);
        } catch (IOException | JetStreamApiException | IllegalStateException e) {
            // The server is gone: that is what the test is about. What was acknowledged before is on record.
        } catch (AssertionError e) {
            failures.add(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void publishOneByOne(Connection connection) throws IOException, JetStreamApiException {
        JetStream stream = connection.jetStream();
        for (int i = 0; !stop.get(); i++) {
            String value = "one " + cycle + " " + i;
            record(stream.publish("crash.one", bytes(value)), value);
        }
    }

    private void publishManyInFlight(Connection connection) throws IOException {
        JetStream stream = connection.jetStream();
        List<CompletableFuture<Void>> inFlight = new ArrayList<>();
        for (int i = 0; !stop.get(); i++) {
            String value = "many " + cycle + " " + i;
            inFlight.add(stream.publishAsync("crash.many", bytes(value)).thenAccept(ack -> record(ack, value)));
            if (inFlight.size() == 200) {
                try {
                    inFlight.forEach(CompletableFuture::join);
                } catch (CompletionException e) {
                    return;
                }
                inFlight.clear();
            }
        }
    }

    private void consume(Connection connection) throws IOException, JetStreamApiException, InterruptedException {
        while (!stop.get()) {
            try (FetchConsumer fetch = connection
                    .getConsumerContext(STREAM, "worker")
                    .fetch(FetchConsumeOptions.builder()
                            .maxMessages(50)
                            .expiresIn(1000)
                            .build())) {
                for (Message message = fetch.nextMessage(); message != null; message = fetch.nextMessage()) {
                    long sequence = message.metaData().streamSequence();
                    assertThat(consumed)
                            .as("delivered again after its ack was answered")
                            .doesNotContain(sequence);
                    message.ackSync(LOAD_LIMIT);
                    consumed.add(sequence);
                }
            } catch (java.util.concurrent.TimeoutException e) {
                return;
            } catch (IOException | JetStreamApiException e) {
                throw e;
            } catch (InterruptedException e) {
                throw e;
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private void record(PublishAck ack, String value) {
        String earlier = acknowledged.put(ack.getSeqno(), value);
        assertThat(earlier)
                .as("sequence %d was given out twice", ack.getSeqno())
                .isNull();
    }

    /** After a restart: everything acknowledged is there, unchanged. */
    void verify(String url) throws IOException, InterruptedException, JetStreamApiException {
        assertThat(failures).isEmpty();
        try (Connection connection = connect(url, ANSWER_LIMIT)) {
            StreamInfo info = connection.jetStreamManagement().getStreamInfo(STREAM);
            long highest = acknowledged.keySet().stream()
                    .mapToLong(Long::longValue)
                    .max()
                    .orElse(0);
            assertThat(info.getStreamState().getLastSequence()).isGreaterThanOrEqualTo(highest);
            Map<Long, String> stored = readAll(connection, info.getStreamState().getLastSequence());
            acknowledged.forEach((sequence, value) ->
                    assertThat(stored.get(sequence)).as("message %d", sequence).isEqualTo(value));
        }
    }

    private static Map<Long, String> readAll(Connection connection, long last)
            throws IOException, JetStreamApiException, InterruptedException {
        Map<Long, String> stored = new ConcurrentHashMap<>();
        var reader = connection
                .getStreamContext(STREAM)
                .createOrderedConsumer(new io.nats.client.api.OrderedConsumerConfiguration());
        try (var iterator = reader.iterate()) {
            while (stored.size() < last) {
                Message message = iterator.nextMessage(ANSWER_LIMIT);
                assertThat(message)
                        .as("only %d of %d messages can be read", stored.size(), last)
                        .isNotNull();
                stored.put(message.metaData().streamSequence(), new String(message.getData(), StandardCharsets.UTF_8));
            }
        } catch (IOException | JetStreamApiException | InterruptedException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        return stored;
    }

    private static Connection connect(String url, Duration limit) throws IOException, InterruptedException {
        return Nats.connect(Options.builder()
                .server(url)
                .noReconnect()
                .connectionTimeout(limit)
                .build());
    }

    private static byte[] bytes(String value) {
        return value.getBytes(StandardCharsets.UTF_8);
    }
}
