package io.penstock.controlplane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.nats.client.Connection;
import io.nats.client.JetStream;
import io.nats.client.JetStreamSubscription;
import io.nats.client.Message;
import io.nats.client.Nats;
import io.nats.client.Options;
import io.nats.client.PullSubscribeOptions;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.impl.Headers;
import io.penstock.controlplane.testing.ApiClient.Answer;
import io.penstock.controlplane.testing.Await;
import io.penstock.controlplane.testing.RealBrokerProfile;
import io.penstock.controlplane.testing.RealBrokerResource;
import io.penstock.controlplane.testing.Tenant;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The API and a NATS client look at the same broker. */
@Tag("e2e")
@QuarkusTest
@TestProfile(RealBrokerProfile.class)
class RealBrokerTest extends ApiTest {
    /** A client waits so long though it has been refused. */
    private static final Duration REFUSED = Duration.ofSeconds(5);

    @Test
    void credentialConnectsAndIsSeenAndIsCutOffWhenRevoked() throws Exception {
        Tenant tenant = Tenant.signedUp(base, "connect");
        Answer made = credential(tenant, "first-app");
        try (Client client = connect(made.text("creds"))) {
            Connection connection = client.connection();
            connection.publish("hello.world", "first water".getBytes(StandardCharsets.UTF_8));
            connection.flush(Duration.ofSeconds(60));

            JsonNode seen = Await.until(Duration.ofSeconds(60), () -> {
                JsonNode now =
                        tenant.api().get(tenant.accountPath() + "/onboarding").body();
                return now.at("/connected/done").asBoolean() ? now : null;
            });
            assertThat(seen.at("/connected/user_name").asText()).isEqualTo("first-app");

            tenant.api().post("/v1/users/" + made.text("user.id") + "/actions/revoke", Map.of());
            Await.until(
                    Duration.ofSeconds(60),
                    () -> connection.getStatus() == Connection.Status.CLOSED ? connection : null);
        }
        assertThatThrownBy(() -> connect(made.text("creds"), REFUSED)).isInstanceOf(IOException.class);
    }

    @Test
    void streamOfTheApiIsTheClientsStreamAndTheOtherWayRound() throws Exception {
        Tenant tenant = Tenant.signedUp(base, "streams");
        String streams = tenant.accountPath() + "/streams";
        Answer made = tenant.api()
                .post(
                        streams,
                        Map.of(
                                "name",
                                "ORDERS",
                                "subjects",
                                List.of("orders.>"),
                                "max_age",
                                "72h",
                                "duplicate_window",
                                "1m"));
        assertThat(made.status()).as(String.valueOf(made.body())).isEqualTo(201);
        try (Client client = connect(credential(tenant, "app").text("creds"))) {
            Connection connection = client.connection();
            var info = connection.jetStreamManagement().getStreamInfo("ORDERS");
            assertThat(info.getConfiguration().getMaxAge()).isEqualTo(Duration.ofDays(3));
            connection
                    .jetStreamManagement()
                    .addStream(StreamConfiguration.builder()
                            .name("BY_CLIENT")
                            .subjects("client.>")
                            .build());
            JetStream js = connection.jetStream();
            for (int i = 1; i <= 3; i++) {
                js.publish(
                        "orders.eu",
                        new Headers().add("Nats-Msg-Id", "o-" + i),
                        ("order " + i).getBytes(StandardCharsets.UTF_8));
            }
        }
        assertThat(tenant.api().get(streams).body().path("data").findValuesAsText("name"))
                .containsSubsequence("BY_CLIENT", "ORDERS");
        JsonNode shown = tenant.api().get(streams + "/ORDERS").body();
        assertThat(shown.at("/state/messages").asText()).isEqualTo("3");
        assertThat(shown.at("/state/bytes").asLong()).isPositive();
        JsonNode messages =
                tenant.api().get(streams + "/ORDERS/messages?last=2").body();
        assertThat(messages.path("data").findValuesAsText("seq")).containsExactly("3", "2");
        assertThat(messages.at("/data/0/payload/data").asText()).isEqualTo("order 3");
        assertThat(messages.at("/data/0/headers/Nats-Msg-Id/0").asText()).isEqualTo("o-3");
        assertThat(tenant.api().get(streams + "/ORDERS/subjects").text("data.0.messages"))
                .isEqualTo("3");
        assertThat(tenant.api().get(tenant.accountPath()).text("usage.streams")).isEqualTo("2");
        assertThat(tenant.api().get(tenant.accountPath() + "/onboarding").text("published.done"))
                .isEqualTo("true");
        changesPurgesAndDeletes(tenant, streams + "/ORDERS");
    }

    private static void changesPurgesAndDeletes(Tenant tenant, String path) {
        String etag = tenant.api().get(path).header("ETag");
        Answer changed = tenant.api().patch(path, Map.of("max_msgs", 2, "description", "kept"), "If-Match", etag);
        assertThat(changed.status()).as(String.valueOf(changed.body())).isEqualTo(200);
        assertThat(changed.text("state.messages")).isEqualTo("2");
        assertThat(tenant.api()
                        .patch(path, Map.of("retention", "workqueue"), "If-Match", changed.header("ETag"))
                        .code())
                .isEqualTo("broker_rejected");
        assertThat(tenant.api()
                        .post(path + "/actions/purge?dry_run=true", Map.of("seq", "3"))
                        .text("would_purge.messages"))
                .isEqualTo("1");
        assertThat(tenant.api()
                        .post(path + "/actions/purge", Map.of("seq", "3"))
                        .text("purged"))
                .isEqualTo("1");
        assertThat(tenant.api().delete(path + "/messages/3").status()).isEqualTo(204);
        String last = tenant.api().get(path).header("ETag");
        assertThat(tenant.api().delete(path, "If-Match", last).status()).isEqualTo(204);
        assertThat(tenant.api().get(path).code()).isEqualTo("not_found");
    }

    @Test
    void refusalsOfTheBrokerAreExplained() {
        Tenant tenant = Tenant.signedUp(base, "refusals");
        String streams = tenant.accountPath() + "/streams";
        tenant.api().post(streams, Map.of("name", "A", "subjects", List.of("a.>")));
        Answer overlap = tenant.api().post(streams, Map.of("name", "B", "subjects", List.of("a.b")));
        assertThat(overlap.code()).isEqualTo("subject_overlap");
        assertThat(overlap.text("params.err_code")).isEqualTo("10065");
        assertThat(tenant.api()
                        .post(streams + "?dry_run=true", Map.of("name", "B", "subjects", List.of("a.b")))
                        .code())
                .isEqualTo("subject_overlap");
        Answer replicas = tenant.api().post(streams, Map.of("name", "C", "num_replicas", 3));
        assertThat(replicas.status()).as(String.valueOf(replicas.body())).isGreaterThanOrEqualTo(400);
        Answer big = tenant.api().post(streams, Map.of("name", "D", "max_bytes", 1L << 50));
        assertThat(big.code()).isEqualTo("broker_rejected");
    }

    @Test
    void consumerOfTheApiDeliversAndBrowsingAWorkQueueTakesNothing() throws Exception {
        Tenant tenant = Tenant.signedUp(base, "consumers");
        String streams = tenant.accountPath() + "/streams";
        tenant.api().post(streams, Map.of("name", "JOBS", "subjects", List.of("jobs.>"), "retention", "workqueue"));
        Answer made = tenant.api()
                .post(streams + "/JOBS/consumers", Map.of("name", "worker", "ack_wait", "1m", "max_deliver", 5));
        assertThat(made.status()).as(String.valueOf(made.body())).isEqualTo(201);
        try (Client client = connect(credential(tenant, "app").text("creds"))) {
            Connection connection = client.connection();
            JetStream js = connection.jetStream();
            for (int i = 0; i < 3; i++) {
                js.publish("jobs.one", new byte[] {(byte) i});
            }
            assertThat(tenant.api()
                            .get(streams + "/JOBS/messages?last=10")
                            .body()
                            .path("data"))
                    .hasSize(3);
            JsonNode before =
                    tenant.api().get(streams + "/JOBS/consumers/worker").body();
            assertThat(before.path("num_pending").asText()).isEqualTo("3");
            assertThat(tenant.api().get(streams + "/JOBS/consumers").body().path("data"))
                    .hasSize(1);

            JetStreamSubscription pull = js.subscribe(null, PullSubscribeOptions.bind("JOBS", "worker"));
            List<Message> batch = pull.fetch(2, Duration.ofSeconds(60));
            assertThat(batch).hasSize(2);
            batch.getFirst().ackSync(Duration.ofSeconds(60));
            JsonNode after =
                    tenant.api().get(streams + "/JOBS/consumers/worker").body();
            assertThat(after.path("num_ack_pending").asInt()).isEqualTo(1);
            assertThat(after.path("num_pending").asText()).isEqualTo("1");
            assertThat(tenant.api().get(streams + "/JOBS").text("state.messages"))
                    .isEqualTo("2");
        }
        String path = streams + "/JOBS/consumers/worker";
        Answer changed = tenant.api()
                .patch(
                        path,
                        Map.of("ack_wait", "2m"),
                        "If-Match",
                        tenant.api().get(path).header("ETag"));
        assertThat(changed.text("ack_wait")).as(String.valueOf(changed.body())).isEqualTo("2m");
        assertThat(tenant.api().delete(path, "If-Match", changed.header("ETag")).status())
                .isEqualTo(204);
    }

    @Test
    void tenantsWithTheSameNamesDoNotMeet() throws Exception {
        Tenant one = Tenant.signedUp(base, "same");
        Tenant two = Tenant.signedUp(base, "same");
        for (Tenant tenant : List.of(one, two)) {
            Answer made = tenant.api()
                    .post(tenant.accountPath() + "/streams", Map.of("name", "ORDERS", "subjects", List.of("orders.>")));
            assertThat(made.status()).isEqualTo(201);
        }
        try (Client client = connect(credential(one, "app").text("creds"))) {
            Connection connection = client.connection();
            connection.jetStream().publish("orders.x", "only one".getBytes(StandardCharsets.UTF_8));
        }
        assertThat(one.api().get(one.accountPath() + "/streams/ORDERS").text("state.messages"))
                .isEqualTo("1");
        assertThat(two.api().get(two.accountPath() + "/streams/ORDERS").text("state.messages"))
                .isEqualTo("0");
    }

    private static Answer credential(Tenant tenant, String name) {
        Answer made = tenant.api()
                .post(
                        tenant.accountPath() + "/credentials",
                        Map.of("name", name, "ttl", "1h"),
                        "Idempotency-Key",
                        "k-" + name);
        assertThat(made.status()).as(String.valueOf(made.body())).isEqualTo(201);
        return made;
    }

    private static Client connect(String creds) throws IOException, InterruptedException {
        // Also how long JetStream's answers are waited for.
        return connect(creds, Duration.ofSeconds(60));
    }

    private static Client connect(String creds, Duration patience) throws IOException, InterruptedException {
        return new Client(Nats.connect(new Options.Builder()
                .server(RealBrokerResource.nodeUrl())
                .authHandler(Nats.staticCredentials(creds.getBytes(StandardCharsets.UTF_8)))
                .noReconnect()
                .connectionTimeout(patience)
                .build()));
    }

    /** A connection that closes without asking to be interrupted. */
    private record Client(Connection connection) implements AutoCloseable {
        @Override
        public void close() {
            try {
                connection.close();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
