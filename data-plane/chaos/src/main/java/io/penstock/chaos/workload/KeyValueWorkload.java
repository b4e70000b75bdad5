package io.penstock.chaos.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.KeyValue;
import io.nats.client.KeyValueOptions;
import io.nats.client.Message;
import io.nats.client.api.KeyValueConfiguration;
import io.nats.client.api.KeyValueEntry;
import io.nats.client.api.StorageType;
import io.penstock.chaos.host.ChaosCluster;
import io.penstock.chaos.host.Client;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * W4. Each update names the revision it saw; two acknowledged updates of a key may not name the same one, and the
 * revisions of a key rise.
 */
final class KeyValueWorkload implements Workload {
    private static final String BUCKET = "state";
    private static final int CLIENTS = 8;
    private static final int KEYS = 20;
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final Duration ANSWER = Duration.ofSeconds(10);
    private static final long PAUSE_NANOS = 10_000_000L;
    private static final ObjectMapper JSON = new ObjectMapper();

    /** An acknowledged update. */
    private record Update(String key, long seen, long made, String value) {}

    private final ChaosCluster cluster;
    private final long seed;
    private final Violations violations;
    private final AckGap gap = new AckGap();
    private final AtomicBoolean stopping = new AtomicBoolean();
    private final List<Thread> threads = new ArrayList<>();

    /** Guarded by this. */
    private final List<Update> updates = new ArrayList<>();

    KeyValueWorkload(ChaosCluster cluster, long seed, Violations violations) {
        this.cluster = cluster;
        this.seed = seed;
        this.violations = violations;
        for (int client = 0; client < CLIENTS; client++) {
            int number = client;
            threads.add(Thread.ofPlatform().name("kv-" + client).unstarted(() -> work(number)));
        }
    }

    @Override
    public void prepare() throws Exception {
        try (Client client = cluster.connect("app")) {
            Connection connection = client.nats();
            connection
                    .keyValueManagement()
                    .create(KeyValueConfiguration.builder()
                            .name(BUCKET)
                            .storageType(StorageType.File)
                            .maxHistoryPerKey(64)
                            .replicas(cluster.nodes().size())
                            .build());
        }
    }

    @Override
    public void start() {
        threads.forEach(Thread::start);
    }

    @Override
    public void stopWriting() {
        stopping.set(true);
        for (Thread thread : threads) {
            try {
                thread.join(Duration.ofSeconds(30));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void work(int number) {
        Random random = new Random(seed + number);
        try (Client client = cluster.connect("app")) {
            Connection connection = client.nats();
            KeyValue bucket = connection.keyValue(
                    BUCKET, KeyValueOptions.builder().jsRequestTimeout(PATIENCE).build());
            for (int n = 0; !stopping.get(); n++) {
                String key = "k" + random.nextInt(KEYS);
                try {
                    update(bucket, key, "c" + number + "-" + n);
                } catch (IOException | JetStreamApiException | IllegalStateException e) {
                    // Somebody was quicker, or the outcome is unknown.
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private void update(KeyValue bucket, String key, String value) throws IOException, JetStreamApiException {
        KeyValueEntry entry = bucket.get(key);
        long seen = entry == null ? 0 : entry.getRevision();
        long made = bucket.update(key, value.getBytes(StandardCharsets.UTF_8), seen);
        gap.acked(0);
        synchronized (this) {
            updates.add(new Update(key, seen, made, value));
        }
    }

    @Override
    public void check() throws Exception {
        Map<String, Update> bySeen = new HashMap<>();
        Map<String, Update> newest = new HashMap<>();
        List<Update> all;
        synchronized (this) {
            all = List.copyOf(updates);
        }
        for (Update update : all) {
            Update other = bySeen.put(update.key() + "@" + update.seen(), update);
            if (other != null) {
                violations.add(
                        "I11",
                        "%s: %s and %s both replaced revision %d"
                                .formatted(update.key(), other.value(), update.value(), update.seen()));
            }
            if (update.made() <= update.seen()) {
                violations.add(
                        "I2", "%s: revision %d replaced %d".formatted(update.key(), update.made(), update.seen()));
            }
            newest.merge(update.key(), update, (a, b) -> a.made() > b.made() ? a : b);
        }
        try (Client client = cluster.connect("app")) {
            Connection connection = client.nats();
            for (Update last : newest.values()) {
                check(last, newest(connection, last.key()));
            }
        }
    }

    /** What the leader has; a replica may not have applied yet what was acknowledged a moment ago. */
    private JsonNode newest(Connection connection, String key) throws IOException, InterruptedException {
        byte[] request =
                "{\"last_by_subj\":\"$KV.%s.%s\"}".formatted(BUCKET, key).getBytes(StandardCharsets.UTF_8);
        Message answer = connection.request("$JS.API.STREAM.MSG.GET." + stream(), request, ANSWER);
        if (answer == null) {
            throw new IOException("no answer to a request for key " + key);
        }
        return JSON.readTree(answer.getData()).path("message");
    }

    private void check(Update last, JsonNode stored) {
        long revision = stored.path("seq").asLong();
        String value = new String(Base64.getDecoder().decode(stored.path("data").asText()), StandardCharsets.UTF_8);
        if (revision < last.made()) {
            violations.add(
                    "I1",
                    "%s: acknowledged revision %d is missing, the newest is %d"
                            .formatted(last.key(), last.made(), revision));
        } else if (revision == last.made() && !last.value().equals(value)) {
            violations.add(
                    "I2",
                    "%s: revision %d was acknowledged as %s and holds %s"
                            .formatted(last.key(), last.made(), last.value(), value));
        }
    }

    @Override
    public AckGap gap() {
        return gap;
    }

    @Override
    public String stream() {
        return "KV_" + BUCKET;
    }

    @Override
    public synchronized long acked() {
        return updates.size();
    }
}
