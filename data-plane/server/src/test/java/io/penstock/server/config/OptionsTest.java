package io.penstock.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.penstock.broker.auth.AccountConfig;
import io.penstock.broker.auth.PermissionsConfig;
import io.penstock.broker.auth.UserConfig;
import io.penstock.broker.resolver.ResolverConfig;
import io.penstock.broker.route.ClusterOptions;
import io.penstock.broker.route.CompressionMode;
import io.penstock.broker.sharing.ExportConfig;
import io.penstock.broker.sharing.ImportConfig;
import io.penstock.broker.sharing.MappingConfig;
import io.penstock.broker.sharing.ShareKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Values of the file reach the options they belong to. */
class OptionsTest {
    @TempDir
    private Path directory;

    private Configuration load(String text) throws Exception {
        Path file = directory.resolve("test.conf");
        Files.writeString(file, text);
        return Configuration.load(Flags.parse(List.of("-c", file.toString())), name -> null);
    }

    private ServerOptions options(String text) throws Exception {
        return load(text).options();
    }

    @Test
    void readsLimitsAndTiming() throws Exception {
        var broker = options("""
                        max_payload: 2MB, max_pending: 128MB; max_control_line: 8kb
                        max_connections: 0
                        max_subscriptions: 5
                        ping_interval: "30s"
                        ping_max: 3
                        write_deadline: 5s
                        lame_duck_duration: "31s"
                        lame_duck_grace_period: "1s"
                        no_fast_producer_stall: true
                        """).broker();

        assertThat(broker.maxPayload()).isEqualTo(2 << 20);
        assertThat(broker.maxPending()).isEqualTo(128L << 20);
        assertThat(broker.maxControlLine()).isEqualTo(8192);
        assertThat(broker.maxConnections()).isEqualTo(-1);
        assertThat(broker.maxSubscriptions()).isEqualTo(5);
        assertThat(broker.pingInterval()).isEqualTo(Duration.ofSeconds(30));
        assertThat(broker.pingMax()).isEqualTo(3);
        assertThat(broker.writeDeadline()).isEqualTo(Duration.ofSeconds(5));
        assertThat(broker.lameDuckDuration()).isEqualTo(Duration.ofSeconds(31));
        assertThat(broker.lameDuckGrace()).isEqualTo(Duration.ofSeconds(1));
        assertThat(broker.noFastProducerStall()).isTrue();
    }

    @Test
    void readsJetStream() throws Exception {
        JetStreamSettings settings = options("""
                        jetstream {
                            store_dir: "/data", max_mem: "1G", max_file: 10GB, domain: hub
                            sync_interval: "10s", strict: false, unique_tag: " AZ: "
                            limits { max_ack_pending: 7, duplicate_window: "1m", batch { max_msgs: 9, timeout: "3s" } }
                        }
                        """).jetStream();

        assertThat(settings.storeDirectory()).hasToString("/data");
        assertThat(settings.maxMemory()).isEqualTo(1L << 30);
        assertThat(settings.maxStorage()).isEqualTo(10L << 30);
        assertThat(settings.domain()).isEqualTo("hub");
        assertThat(settings.syncAlways()).isFalse();
        assertThat(settings.syncInterval()).isEqualTo(Duration.ofSeconds(10));
        assertThat(settings.strict()).isFalse();
        assertThat(settings.uniqueTag()).isEqualTo("az:");
        assertThat(settings.limits().maxAckPending()).isEqualTo(7);
        assertThat(settings.limits().duplicateWindow()).isEqualTo(Duration.ofMinutes(1));
        assertThat(settings.batches().maxMessages()).isEqualTo(9);
        assertThat(settings.batches().timeout()).isEqualTo(Duration.ofSeconds(3));
    }

    @Test
    void acknowledgesFromDiskUnlessToldOtherwise() throws Exception {
        assertThat(options("jetstream: enabled").jetStream().syncAlways()).isTrue();
        assertThat(options("jetstream { sync_interval: always }").jetStream().syncAlways())
                .isTrue();
        assertThat(options("jetstream { sync_interval: \"2m\" }").jetStream().syncAlways())
                .isFalse();
    }

    @Test
    void readsUsersWithPermissions() throws Exception {
        UserConfig user = options("""
                        authorization {
                            timeout: 0.5
                            users: [ { user: a, password: $2a$11$W2zko751KUvVy59mUTWmpOdWjpEm5qhcCZRd05GjI/sSOT.xtiHyG
                                permissions {
                                    publish: { allow: ["a.>", b], deny: c }
                                    subscribe: "q.> workers"
                                    allow_responses: { max: 5, expires: "1m" } } } ]
                        }
                        """).auth().authorization().users().getFirst();

        assertThat(user.password()).startsWith("$2a$11$");
        assertThat(user.permissions())
                .isEqualTo(new PermissionsConfig(
                        List.of("a.>", "b"),
                        List.of("c"),
                        List.of("q.> workers"),
                        List.of(),
                        new PermissionsConfig.Responses(5, Duration.ofMinutes(1))));
    }

    @Test
    void readsAccounts() throws Exception {
        List<AccountConfig> accounts = options("""
                        accounts {
                            A {
                                users: [ { user: a, password: p } ]
                                jetstream { max_mem: 1K, max_file: -1, max_streams: 3 }
                                exports: [
                                    { service: "svc.>", accounts: [B], response_type: stream, threshold: "5s",
                                      latency: { sampling: 50%, subject: lat } }
                                    { stream: "data.*", account_token_position: 2 } ]
                                mappings { "m.*": "n.$1", w: [ { dest: x, weight: 30% }, { dest: y, weight: 70 } ] }
                                limits { max_conn: 4 }
                            }
                            B { imports: [
                                { service: { account: A, subject: "svc.x" }, to: "local.x", share: true }
                                { stream: { account: A, subject: "data.*" }, prefix: "from.a" } ] }
                        }
                        """).auth().accounts();

        AccountConfig a = accounts.get(0);
        assertThat(a.jetStream().memoryBytes()).isEqualTo(1000);
        assertThat(a.jetStream().storageBytes()).isEqualTo(-1);
        assertThat(a.jetStream().streams()).isEqualTo(3);
        assertThat(a.limits().connections()).isEqualTo(4);
        assertThat(a.exports())
                .containsExactly(
                        new ExportConfig(
                                ShareKind.SERVICE,
                                "svc.>",
                                List.of("B"),
                                ExportConfig.ResponseType.STREAM,
                                Duration.ofSeconds(5),
                                new ExportConfig.Latency(50, "lat"),
                                0,
                                false),
                        new ExportConfig(
                                ShareKind.STREAM,
                                "data.*",
                                List.of(),
                                ExportConfig.ResponseType.SINGLETON,
                                null,
                                null,
                                2,
                                false));
        assertThat(a.mappings())
                .containsExactly(
                        new MappingConfig("m.*", List.of(new MappingConfig.Destination("n.$1", 100, null))),
                        new MappingConfig(
                                "w",
                                List.of(
                                        new MappingConfig.Destination("x", 30, null),
                                        new MappingConfig.Destination("y", 70, null))));
        assertThat(accounts.get(1).imports())
                .containsExactly(
                        new ImportConfig(ShareKind.SERVICE, "A", "svc.x", "local.x", null, true, false),
                        new ImportConfig(ShareKind.STREAM, "A", "data.*", null, "from.a", false, false));
    }

    @Test
    void readsResolvers() throws Exception {
        String key = "OAAACAQDAQCQMBYIBEFAWDANBYHRAEISCMKBKFQXDAMRUGY4DUPB7JSU";
        ResolverConfig full = options("trusted_keys: " + key + "\nresolver { type: full, dir: \"" + directory
                        + "\", allow_delete: true, interval: \"10s\", limit: 5 }")
                .auth()
                .operator()
                .resolver();

        assertThat(full.kind()).isEqualTo(ResolverConfig.Kind.FULL);
        assertThat(full.directory()).isEqualTo(directory);
        assertThat(full.allowDelete()).isTrue();
        assertThat(full.interval()).isEqualTo(Duration.ofSeconds(10));
        assertThat(full.limit()).isEqualTo(5);
        assertThat(options("trusted_keys: [" + key + "]\nresolver: URL(http://localhost:9090/jwt/v1/accounts/)")
                        .auth()
                        .operator()
                        .resolver()
                        .url())
                .hasToString("http://localhost:9090/jwt/v1/accounts/");
    }

    @Test
    void startsWithListenersNobodyUsesAndSaysSo() throws Exception {
        Configuration configuration = load("""
                port: -1
                http: "127.0.0.1:-1"
                leafnodes { listen: "127.0.0.1:-1" }
                websocket { port: -1, no_tls: true }
                server_tags: ["unique"]
                """);

        assertThat(configuration.options().broker().webSocket().port()).isZero();
        assertThat(configuration.warnings())
                .singleElement()
                .extracting(ConfigProblem::message)
                .asString()
                .contains("leaf node");
    }

    @Test
    void saysThatACipherWithoutAKeyEncryptsNothing() throws Exception {
        assertThat(load("jetstream { cipher: aes }").warnings())
                .extracting(ConfigProblem::message)
                .containsExactly("\"cipher\" is ignored: nothing is encrypted without a key");
        assertThat(load("jetstream { cipher: aes, key: secret }").warnings()).isEmpty();
        assertThat(load("jetstream { key: secret, cipher: aes }").warnings()).isEmpty();
    }

    @Test
    void refusesFeaturesThatWouldBeMissed() {
        assertThatThrownBy(() -> load("leafnodes { remotes: [ { url: \"leaf://h:1\" } ] }"))
                .hasMessageContaining("not available in this version");
        assertThatThrownBy(() -> load("cluster { port: 1, permissions { import: a } }"))
                .hasMessageContaining("permissions of routes are not available in this version");
        assertThatThrownBy(() -> load("cluster { port: 1, compression: s2_best }"))
                .hasMessageContaining("the slower levels of compression are not available in this version");
        assertThatThrownBy(() -> load("mqtt { port: 1883 }")).hasMessageContaining("MQTT");
        assertThatThrownBy(() -> load("gateway { name: g }")).hasMessageContaining("gateways");
        assertThatThrownBy(() -> load("authorization { auth_callout { issuer: x } }"))
                .hasMessageContaining("not available in this version");
    }

    @Test
    void readsTheClusterBlock() throws Exception {
        ClusterOptions cluster = load("""
                listen: "127.0.0.1:4222"
                ping_interval: "1m"
                cluster {
                  name: c
                  listen: "0.0.0.0:-1"
                  routes: ["nats-route://a:1", "nats-route://u:p@b:2"]
                  authorization { user: u, password: p, timeout: 5 }
                  pool_size: -1
                  accounts: [A, B]
                  compression { mode: s2_auto }
                  connect_retries: 3
                  connect_backoff: true
                  write_deadline: "3s"
                  no_advertise: true
                  peer_listen: "127.0.0.1:7222"
                }
                """).options().broker().cluster();

        assertThat(cluster.host()).isEqualTo("0.0.0.0");
        assertThat(cluster.port()).isZero();
        assertThat(cluster.routes()).hasSize(2);
        assertThat(cluster.authTimeout()).hasSeconds(5);
        assertThat(cluster.poolSize()).isEqualTo(1);
        assertThat(cluster.accounts()).containsExactlyInAnyOrder("A", "B");
        assertThat(cluster.compression()).isEqualTo(CompressionMode.AUTO);
        assertThat(cluster.connectRetries()).isEqualTo(3);
        assertThat(cluster.connectBackoff()).isTrue();
        assertThat(cluster.pingInterval()).hasSeconds(30);
        assertThat(cluster.writeDeadline()).hasSeconds(3);
        assertThat(cluster.noAdvertise()).isTrue();
        assertThat(cluster.peerListen()).isEqualTo("127.0.0.1:7222");
        assertThat(load("cluster { name: c }").options().broker().cluster()).isNull();
        assertThat(load("host: 127.0.0.1\ncluster { port: 6222 }")
                        .options()
                        .broker()
                        .cluster()
                        .host())
                .isEqualTo("127.0.0.1");
        assertThatThrownBy(() -> load("cluster { port: 1, authorization { user: u } }"))
                .hasMessageContaining("needs both");
        assertThatThrownBy(() -> load("cluster { port: 1, routes: [\"x y\"] }"))
                .hasMessageContaining("error parsing route url");
    }

    @Test
    void reportsEveryMistakeAtItsPlace() {
        assertThatThrownBy(() -> load("port: abc\njetstream {\n  nope: 1\n}\nfoo: 2\n"))
                .isInstanceOfSatisfying(
                        ConfigException.class,
                        e -> assertThat(e.problems())
                                .extracting(
                                        problem -> problem.position().line(),
                                        problem -> problem.position().column())
                                .containsExactly(tuple(1, 0), tuple(3, 3), tuple(5, 1)));
    }

    @Test
    void findsFilesThatIncludeEachOther() throws Exception {
        Files.writeString(directory.resolve("a.conf"), "include b.conf\n");
        Files.writeString(directory.resolve("b.conf"), "include a.conf\n");

        assertThatThrownBy(() -> load("include a.conf\n")).hasMessageContaining("includes itself");
    }
}
