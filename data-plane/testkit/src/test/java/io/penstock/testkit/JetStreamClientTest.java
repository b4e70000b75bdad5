package io.penstock.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nats.client.Connection;
import io.nats.client.ConsumerContext;
import io.nats.client.FetchConsumeOptions;
import io.nats.client.FetchConsumer;
import io.nats.client.JetStream;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.JetStreamSubscription;
import io.nats.client.KeyValue;
import io.nats.client.Message;
import io.nats.client.MessageConsumer;
import io.nats.client.Nats;
import io.nats.client.ObjectStore;
import io.nats.client.Options;
import io.nats.client.PullSubscribeOptions;
import io.nats.client.PurgeOptions;
import io.nats.client.PushSubscribeOptions;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.ConsumerInfo;
import io.nats.client.api.KeyValueConfiguration;
import io.nats.client.api.KeyValueEntry;
import io.nats.client.api.KeyValueWatcher;
import io.nats.client.api.ObjectStoreConfiguration;
import io.nats.client.api.OrderedConsumerConfiguration;
import io.nats.client.api.PublishAck;
import io.nats.client.api.StreamConfiguration;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Java client's JetStream against our node: what applications do, in the client's own terms. */
@Tag("wire")
@SuppressWarnings("try") // the client closes with InterruptedException, which ends a test all the same
class JetStreamClientTest {
    private static final int COUNT = 1_000;

    private ServerProcess server;
    private Connection connection;
    private JetStreamManagement management;
    private JetStream jetStream;

    @BeforeEach
    void start(@TempDir Path folder) throws Exception {
        server = ServerProcess.start(Programs.broker(), folder, "jetstream { store_dir: \"@STORE@\" }\n");
        connection = connect();
        management = connection.jetStreamManagement();
        jetStream = connection.jetStream();
        management.addStream(StreamConfiguration.builder()
                .name("J")
                .subjects("j.>")
                .allowDirect(true)
                .build());
        List<CompletableFuture<PublishAck>> acks = new ArrayList<>();
        for (int i = 0; i < COUNT; i++) {
            acks.add(jetStream.publishAsync("j." + i % 4, ("m" + i).getBytes(java.nio.charset.StandardCharsets.UTF_8)));
        }
        for (CompletableFuture<PublishAck> ack : acks) {
            ack.get(60, TimeUnit.SECONDS);
        }
    }

    private Connection connect() throws Exception {
        return Nats.connect(Options.builder()
                .server("nats://127.0.0.1:" + server.port())
                // Also how long JetStream's answers are waited for.
                .connectionTimeout(Duration.ofSeconds(60))
                .build());
    }

    @AfterEach
    void stop() throws Exception {
        connection.close();
        server.close();
    }

    @Test
    void fetchesAndConsumesEverythingOnce() throws Exception {
        ConsumerContext consumer = connection
                .getStreamContext("J")
                .createOrUpdateConsumer(ConsumerConfiguration.builder()
                        .durable("d")
                        .ackPolicy(AckPolicy.Explicit)
                        .build());
        int fetched = 0;
        try (FetchConsumer fetch = consumer.fetch(
                FetchConsumeOptions.builder().maxMessages(300).expiresIn(60_000).build())) {
            for (Message m = fetch.nextMessage(); m != null; m = fetch.nextMessage()) {
                m.ack();
                fetched++;
            }
        }
        assertThat(fetched).isEqualTo(300);
        CountDownLatch rest = new CountDownLatch(COUNT - 300);
        try (MessageConsumer consuming = consumer.consume(m -> {
            m.ack();
            rest.countDown();
        })) {
            assertThat(rest.await(60, TimeUnit.SECONDS)).isTrue();
            consuming.stop();
        }
        Message none = consumer.next(1_000);
        assertThat(none).isNull();
        ConsumerInfo info = management.getConsumerInfo("J", "d");
        assertThat(info.getNumPending()).isZero();
        assertThat(info.getNumAckPending()).isZero();
    }

    @Test
    void readsInOrderWithBothKindsOfOrderedConsumer() throws Exception {
        CountDownLatch filtered = new CountDownLatch(COUNT / 4);
        try (MessageConsumer consuming = connection
                .getStreamContext("J")
                .createOrderedConsumer(new OrderedConsumerConfiguration().filterSubject("j.1"))
                .consume(m -> filtered.countDown())) {
            assertThat(filtered.await(60, TimeUnit.SECONDS)).isTrue();
            consuming.stop();
        }
        JetStreamSubscription push = jetStream.subscribe(
                "j.>", PushSubscribeOptions.builder().ordered(true).build());
        for (int i = 1; i <= COUNT; i++) {
            assertThat(push.nextMessage(Duration.ofSeconds(60)).metaData().streamSequence())
                    .isEqualTo(i);
        }
    }

    @Test
    void deliversAgainWhatWasNotAcknowledged() throws Exception {
        JetStreamSubscription pull = jetStream.subscribe(
                "j.>", PullSubscribeOptions.builder().durable("p").build());
        List<Message> first = pull.fetch(3, Duration.ofSeconds(60));
        first.get(0).nak();
        first.get(1).term();
        first.get(2).ackSync(Duration.ofSeconds(60));
        Message again = pull.fetch(1, Duration.ofSeconds(60)).getFirst();
        assertThat(again.metaData().streamSequence()).isEqualTo(1);
        assertThat(again.metaData().deliveredCount()).isEqualTo(2);
        again.ackSync(Duration.ofSeconds(60));
        assertThat(management.getConsumerInfo("J", "p").getAckFloor().getStreamSequence())
                .isEqualTo(3);
    }

    @Test
    void answeredAcknowledgementsOutliveAKill() throws Exception {
        JetStreamSubscription pull = jetStream.subscribe(
                "j.>",
                PullSubscribeOptions.builder()
                        .durable("k")
                        .configuration(ConsumerConfiguration.builder()
                                .ackWait(Duration.ofSeconds(2))
                                .build())
                        .build());
        List<Message> taken = pull.fetch(10, Duration.ofSeconds(60));
        for (Message message : taken.subList(0, 5)) {
            message.ackSync(Duration.ofSeconds(60));
        }
        server.kill();
        server.start();
        try (Connection fresh = connect()) {
            ConsumerContext consumer = fresh.getConsumerContext("J", "k");
            assertThat(fresh.jetStreamManagement()
                            .getStreamInfo("J")
                            .getStreamState()
                            .getMsgCount())
                    .isEqualTo(COUNT);
            List<Long> seen = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                Message message = consumer.next(60_000);
                seen.add(message.metaData().streamSequence());
                message.ack();
            }
            assertThat(seen).allMatch(sequence -> sequence > 5);
        }
    }

    @Test
    void findsAndRemovesSingleMessages() throws Exception {
        assertThat(management.getLastMessage("J", "j.3").getSeq()).isEqualTo(COUNT);
        assertThat(management.deleteMessage("J", 5)).isTrue();
        assertThatThrownBy(() -> management.getMessage("J", 5))
                .isInstanceOfSatisfying(
                        JetStreamApiException.class,
                        e -> assertThat(e.getApiErrorCode()).isEqualTo(10037));
        PurgeOptions keep = PurgeOptions.builder().subject("j.0").keep(10).build();
        assertThat(management.purgeStream("J", keep).getPurged()).isEqualTo(COUNT / 4 - 1 - 10);
    }

    @Test
    void keepsKeysAndWatchesThem() throws Exception {
        connection
                .keyValueManagement()
                .create(KeyValueConfiguration.builder()
                        .name("K")
                        .maxHistoryPerKey(5)
                        .build());
        KeyValue keys = connection.keyValue("K");
        long first = keys.put("a", "1");
        keys.update("a", "2", first);
        assertThatThrownBy(() -> keys.update("a", "x", first))
                .isInstanceOfSatisfying(
                        JetStreamApiException.class,
                        e -> assertThat(e.getApiErrorCode()).isEqualTo(10071));
        keys.create("b", new byte[] {'1'});
        assertThatThrownBy(() -> keys.create("b", new byte[] {'2'})).isInstanceOf(JetStreamApiException.class);
        keys.delete("b");
        keys.create("b", new byte[] {'3'});
        assertThat(keys.history("a")).hasSize(2);
        List<String> seen = Collections.synchronizedList(new ArrayList<>());
        CountDownLatch end = new CountDownLatch(1);
        CountDownLatch later = new CountDownLatch(3);
        keys.watchAll(new KeyValueWatcher() {
            @Override
            public void watch(KeyValueEntry entry) {
                seen.add(entry.getKey() + "=" + entry.getValueAsString());
                later.countDown();
            }

            @Override
            public void endOfData() {
                end.countDown();
            }
        });
        assertThat(end.await(60, TimeUnit.SECONDS)).isTrue();
        keys.put("c", "9");
        assertThat(later.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(seen).containsExactly("a=2", "b=3", "c=9");
        keys.purge("a");
        assertThat(keys.get("a")).isNull();
        assertThat(keys.keys()).containsExactlyInAnyOrder("b", "c");
    }

    @Test
    void keepsObjectsAndFreesOldChunks() throws Exception {
        connection
                .objectStoreManagement()
                .create(ObjectStoreConfiguration.builder("O").build());
        ObjectStore objects = connection.objectStore("O");
        byte[] content = new byte[1 << 20];
        new Random(1).nextBytes(content);
        for (int i = 0; i < 3; i++) {
            objects.put("f", content);
        }
        ByteArrayOutputStream read = new ByteArrayOutputStream();
        objects.get("f", read);
        assertThat(read.toByteArray()).isEqualTo(content);
        assertThat(management.getStreamInfo("OBJ_O").getStreamState().getMsgCount())
                .isEqualTo(9);
    }
}
