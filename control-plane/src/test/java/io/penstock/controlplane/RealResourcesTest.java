package io.penstock.controlplane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nats.client.Connection;
import io.nats.client.KeyValue;
import io.nats.client.Message;
import io.nats.client.Nats;
import io.nats.client.ObjectStore;
import io.nats.client.Options;
import io.nats.client.Subscription;
import io.nats.client.api.KeyValueEntry;
import io.penstock.controlplane.testing.ApiClient.Answer;
import io.penstock.controlplane.testing.Await;
import io.penstock.controlplane.testing.RealBrokerProfile;
import io.penstock.controlplane.testing.RealBrokerResource;
import io.penstock.controlplane.testing.Tenant;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the API says of sharing, buckets and deletions, with a real account-service, a real node and a real client. */
@Tag("e2e")
@QuarkusTest
@TestProfile(RealBrokerProfile.class)
class RealResourcesTest extends ApiTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** A client waits so long though it has been refused. */
    private static final Duration REFUSED = Duration.ofSeconds(5);

    @Test
    void messagesFlowThroughAShareUntilItIsTakenBack() throws Exception {
        Tenant exporter = Tenant.signedUp(base, "flow-out");
        Tenant importer = Tenant.signedUp(base, "flow-in");
        Answer export = exporter.api()
                .post(
                        exporter.accountPath() + "/exports",
                        Map.of("name", "e", "subject", "orders.>", "type", "stream"));
        Answer share = exporter.api()
                .post(
                        "/v1/exports/" + export.text("id") + "/shares",
                        Map.of(
                                "target_public_key",
                                importer.api().get(importer.accountPath()).text("public_key")));
        assertThat(share.status()).as(String.valueOf(share.body())).isEqualTo(201);
        Answer imported = importer.api()
                .post(
                        importer.accountPath() + "/imports",
                        Map.of("name", "i", "type", "stream", "share_id", share.text("id"), "local_subject", "in.>"));
        assertThat(imported.status()).as(String.valueOf(imported.body())).isEqualTo(201);
        synced(importer, "/v1/imports/" + imported.text("id"));
        synced(exporter, "/v1/exports/" + export.text("id"));
        try (Client out = connect(exporter);
                Client in = connect(importer)) {
            Subscription subscription = in.connection().subscribe("in.>");
            in.connection().flush(PATIENCE);
            Message got = Await.until(PATIENCE, () -> {
                out.connection().publish("orders.eu", "hello".getBytes(StandardCharsets.UTF_8));
                return next(subscription, 200);
            });
            assertThat(got.getSubject()).isEqualTo("in.eu");
            Answer shown = exporter.api().get("/v1/shares/" + share.text("id"));
            exporter.api().delete("/v1/shares/" + share.text("id"), "If-Match", shown.header("ETag"));
            Await.until(PATIENCE, () -> {
                while (next(subscription, 50) != null) {
                    // What was under way.
                }
                out.connection().publish("orders.eu", "late".getBytes(StandardCharsets.UTF_8));
                return next(subscription, 300) == null ? subscription : null;
            });
        }
    }

    @Test
    void serviceOfAnotherAccountAnswersUnderItsLocalName() throws Exception {
        Tenant tenant = Tenant.signedUp(base, "service");
        Answer second = tenant.api().post("/v1/projects/" + tenant.project() + "/accounts", Map.of("name", "second"));
        String other = "/v1/accounts/" + second.text("id");
        synced(tenant, other);
        Answer export = tenant.api()
                .post(tenant.accountPath() + "/exports", Map.of("name", "e", "subject", "svc.add", "type", "service"));
        tenant.api()
                .post("/v1/exports/" + export.text("id") + "/shares", Map.of("target_account_id", second.text("id")));
        Answer imported = tenant.api()
                .post(
                        other + "/imports",
                        Map.of(
                                "name", "i",
                                "type", "service",
                                "subject", "svc.add",
                                "local_subject", "add",
                                "remote_account_id", tenant.account()));
        assertThat(imported.status()).as(String.valueOf(imported.body())).isEqualTo(201);
        synced(tenant, "/v1/imports/" + imported.text("id"));
        synced(tenant, "/v1/exports/" + export.text("id"));
        try (Client server = connect(tenant);
                Client client = connect(tenant, second.text("id"))) {
            server.connection()
                    .createDispatcher(message -> server.connection().publish(message.getReplyTo(), message.getData()))
                    .subscribe("svc.add");
            server.connection().flush(PATIENCE);
            Message answer = Await.until(PATIENCE, () -> request(client.connection(), "add"));
            assertThat(new String(answer.getData(), StandardCharsets.UTF_8)).isEqualTo("x");
        }
    }

    @Test
    void clientsAndTheApiSeeTheSameBuckets() throws Exception {
        Tenant tenant = Tenant.signedUp(base, "buckets");
        Answer made = tenant.api().post(tenant.accountPath() + "/kv", Map.of("name", "conf", "history", 3));
        assertThat(made.status()).as(String.valueOf(made.body())).isEqualTo(201);
        String entries = tenant.accountPath() + "/kv/conf/entries";
        Answer put = tenant.api().call("PUT", entries + "/a.b", Map.of("value", "one"), Map.of());
        assertThat(put.status()).as(String.valueOf(put.body())).isEqualTo(200);
        try (Client client = connect(tenant)) {
            KeyValue kv = client.connection().keyValue("conf");
            KeyValueEntry entry = kv.get("a.b");
            assertThat(entry.getValueAsString()).isEqualTo("one");
            assertThat(Long.toString(entry.getRevision())).isEqualTo(put.text("revision"));
            kv.put("a.c", "two");
            kv.delete("a.b");
            assertThat(tenant.api().get(entries + "/a.b").status()).isEqualTo(404);
            assertThat(tenant.api().get(entries).body().path("data").findValuesAsText("key"))
                    .containsExactly("a.c");
            Answer again =
                    tenant.api().call("PUT", entries + "/a.b", Map.of("value", "three", "create_only", true), Map.of());
            assertThat(again.status()).as(String.valueOf(again.body())).isEqualTo(200);
            Answer wider = tenant.api()
                    .patch(tenant.accountPath() + "/kv/conf", Map.of("history", 9), "If-Match", made.header("ETag"));
            assertThat(wider.text("history")).as(String.valueOf(wider.body())).isEqualTo("9");
            assertThat(kv.get("a.c").getValueAsString()).isEqualTo("two");

            assertThat(tenant.api()
                            .post(tenant.accountPath() + "/objects", Map.of("name", "files"))
                            .status())
                    .isEqualTo(201);
            ObjectStore store = client.connection().objectStore("files");
            store.put("dir/a.txt", "content".getBytes(StandardCharsets.UTF_8));
            Answer items = tenant.api().get(tenant.accountPath() + "/objects/files/items");
            assertThat(items.text("data.0.name")).isEqualTo("dir/a.txt");
            assertThat(tenant.api()
                            .delete(tenant.accountPath() + "/objects/files/items/dir%2Fa.txt")
                            .status())
                    .isEqualTo(204);
            assertThat(store.getInfo("dir/a.txt")).isNull();
            assertThat(tenant.api().get(tenant.accountPath()).text("usage.connections"))
                    .isEqualTo("1");
        }
    }

    @Test
    void deletedStreamTakesNothingDeliversNothingAndComesBackWhole() throws Exception {
        Tenant tenant = Tenant.signedUp(base, "trash");
        String path = tenant.accountPath() + "/streams/JOBS";
        Answer made = tenant.api()
                .post(
                        tenant.accountPath() + "/streams",
                        Map.of(
                                "name",
                                "JOBS",
                                "subjects",
                                List.of("jobs.>"),
                                "retention",
                                "workqueue",
                                "max_age",
                                "24h"));
        tenant.api().post(path + "/consumers", Map.of("name", "w"));
        try (Client client = connect(tenant)) {
            for (int i = 0; i < 3; i++) {
                client.connection().jetStream().publish("jobs.a", new byte[] {(byte) i});
            }
            Answer gone = tenant.api().delete(path, "If-Match", made.header("ETag"));
            assertThat(gone.status()).as(String.valueOf(gone.body())).isEqualTo(204);
            assertThatThrownBy(() -> client.connection().jetStream().publish("jobs.a", new byte[0]))
                    .isInstanceOf(Exception.class);
            Answer back = tenant.api().post(path + "/actions/restore", Map.of());
            assertThat(back.status()).as(String.valueOf(back.body())).isEqualTo(200);
            assertThat(back.text("state.messages")).isEqualTo("3");
            assertThat(back.text("max_age")).isEqualTo("24h");
            assertThat(tenant.api()
                            .get(path + "/consumers/w")
                            .body()
                            .path("paused")
                            .asBoolean())
                    .isFalse();
            client.connection().jetStream().publish("jobs.a", new byte[0]);
        }
        Answer until =
                tenant.api().post(path + "/consumers/w/actions/pause", Map.of("pause_until", "2036-01-01T00:00:00Z"));
        assertThat(until.body().path("paused").asBoolean())
                .as(String.valueOf(until.body()))
                .isTrue();
        assertThat(tenant.api()
                        .post(path + "/consumers/w/actions/resume", Map.of())
                        .status())
                .isEqualTo(200);
        assertThat(tenant.api()
                        .post(path + "/consumers/w/actions/reset", Map.of())
                        .status())
                .isEqualTo(200);
    }

    @Test
    void deletedAccountLetsNobodyInUntilItIsRestored() throws Exception {
        Tenant tenant = Tenant.signedUp(base, "closed");
        String creds = credential(tenant, tenant.account());
        Answer gone = tenant.api()
                .delete(
                        tenant.accountPath(),
                        "If-Match",
                        tenant.api().get(tenant.accountPath()).header("ETag"));
        assertThat(gone.status()).as(String.valueOf(gone.body())).isEqualTo(202);
        Await.until(
                PATIENCE,
                () -> "succeeded"
                                .equals(tenant.api()
                                        .get("/v1/operations/" + gone.text("id"))
                                        .text("state"))
                        ? gone
                        : null);
        assertThatThrownBy(() -> connect(creds, REFUSED)).isInstanceOf(Exception.class);
        Answer back = tenant.api().post(tenant.accountPath() + "/actions/restore", Map.of());
        assertThat(back.status()).as(String.valueOf(back.body())).isEqualTo(202);
        synced(tenant, tenant.accountPath());
        connect(creds).close();
    }

    /** What an apply of 500 resources at the default parallelism does. */
    @Test
    void fiveHundredStreamsAreMadeAndReadInTheTimeAnApplyHas() throws Exception {
        Tenant tenant = Tenant.signedUp(base, "many");
        Answer raised = tenant.api()
                .patch(
                        tenant.accountPath(),
                        Map.of("limits", Map.of("jetstream", Map.of("streams", 1000))),
                        "If-Match",
                        tenant.api().get(tenant.accountPath()).header("ETag"));
        assertThat(raised.status()).as(String.valueOf(raised.body())).isEqualTo(200);
        synced(tenant, tenant.accountPath());
        String streams = tenant.accountPath() + "/streams";
        long start = System.nanoTime();
        inParallel(
                500,
                i -> assertThat(tenant.api()
                                .post(
                                        streams,
                                        Map.of("name", "S" + i, "subjects", List.of("s." + i)),
                                        "Idempotency-Key",
                                        "many-" + i)
                                .status())
                        .isEqualTo(201));
        Duration made = Duration.ofNanos(System.nanoTime() - start);
        start = System.nanoTime();
        inParallel(
                500,
                i -> assertThat(tenant.api().get(streams + "/S" + i).status()).isEqualTo(200));
        Duration read = Duration.ofNanos(System.nanoTime() - start);
        org.jboss.logging.Logger.getLogger(RealResourcesTest.class)
                .infof("500 streams made in %d ms, read in %d ms", made.toMillis(), read.toMillis());
    }

    private interface Numbered {
        void run(int number);
    }

    private static void inParallel(int count, Numbered work) throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(10)) {
            List<Future<?>> all = new java.util.ArrayList<>();
            for (int i = 0; i < count; i++) {
                int number = i;
                all.add(threads.submit(() -> work.run(number)));
            }
            for (Future<?> one : all) {
                one.get();
            }
        }
    }

    private static void synced(Tenant tenant, String path) {
        Await.until(PATIENCE, () -> "synced".equals(tenant.api().get(path).text("sync.state")) ? path : null);
    }

    private static Message next(Subscription subscription, int millis) {
        try {
            return subscription.nextMessage(Duration.ofMillis(millis));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    private static Message request(Connection connection, String subject) {
        try {
            Message answer = connection.request(subject, "x".getBytes(StandardCharsets.UTF_8), Duration.ofMillis(500));
            return answer == null || answer.isStatusMessage() ? null : answer;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    private static String credential(Tenant tenant, String account) {
        return tenant.api()
                .post(
                        "/v1/accounts/" + account + "/credentials",
                        Map.of("name", "app-" + System.nanoTime(), "ttl", "1h"),
                        "Idempotency-Key",
                        "k-" + System.nanoTime())
                .text("creds");
    }

    private static Client connect(Tenant tenant) throws Exception {
        return connect(tenant, tenant.account());
    }

    private static Client connect(Tenant tenant, String account) throws Exception {
        return connect(credential(tenant, account));
    }

    private static Client connect(String creds) throws Exception {
        return connect(creds, PATIENCE);
    }

    private static Client connect(String creds, Duration patience) throws Exception {
        return new Client(Nats.connect(new Options.Builder()
                .server(RealBrokerResource.nodeUrl())
                .authHandler(Nats.staticCredentials(creds.getBytes(StandardCharsets.UTF_8)))
                .noReconnect()
                // Also how long JetStream's answers are waited for.
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
