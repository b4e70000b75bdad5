package io.penstock.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.broker.BrokerOptions;
import io.penstock.broker.route.ClusterOptions;
import io.penstock.broker.route.RouteAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FlagsTest {
    @TempDir
    private Path directory;

    private static ServerOptions options(String... arguments) throws Exception {
        return Configuration.load(Flags.parse(List.of(arguments)), name -> null).options();
    }

    private String file(String text) throws IOException {
        Path file = directory.resolve("test.conf");
        Files.writeString(file, text);
        return file.toString();
    }

    @Test
    void servesWithoutFlagsOnTheUsualPort() throws Exception {
        BrokerOptions broker = options().broker();

        assertThat(broker.host()).isEqualTo("0.0.0.0");
        assertThat(broker.port()).isEqualTo(4222);
        assertThat(broker.pingInterval()).isEqualTo(Duration.ofMinutes(2));
        assertThat(broker.jetStream()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"-p 4333", "--p 4333", "-port 4333", "--port 4333", "-p=4333", "--port=4333"})
    void takesOneDashOrTwoAndTheValueEitherWay(String line) throws Exception {
        assertThat(options(line.split(" ")).broker().port()).isEqualTo(4333);
    }

    @Test
    void takesFlagsInAnyOrderAndLetsTheLastWin() throws Exception {
        ServerOptions options = options("-js", "-p", "1", "-sd=/tmp/x", "-DV", "-a", "::", "-p", "2", "--name", "n1");

        assertThat(options.broker().port()).isEqualTo(2);
        assertThat(options.broker().host()).isEqualTo("::");
        assertThat(options.serverName()).isEqualTo("n1");
        assertThat(options.jetStream().storeDirectory()).hasToString("/tmp/x");
        assertThat(options.logging().debug()).isTrue();
        assertThat(options.logging().trace()).isTrue();
    }

    @Test
    void takesAValueOfABooleanOnlyBehindTheEqualsSign() throws Exception {
        assertThat(options("-T=false").logging().timestamps()).isFalse();
        assertThat(options("-D=false", "--logtime_utc").logging().utc()).isTrue();
        assertThatThrownBy(() -> Flags.parse(List.of("-T", "false")).request())
                .hasMessage("unrecognized command: \"false\"");
    }

    @Test
    void asksForARandomPortWithMinusOne() throws Exception {
        assertThat(options("-p", "-1").broker().port()).isZero();
        assertThat(options("-m", "-1").monitoring().port()).isEqualTo(-1);
    }

    @Test
    void overridesTheFile() throws Exception {
        String file = file("port: 5000\nhost: 127.0.0.1\ndebug: true\n");

        ServerOptions options = options("-p", "5001", "-c", file, "-D=false");

        assertThat(options.broker().port()).isEqualTo(5001);
        assertThat(options.broker().host()).isEqualTo("127.0.0.1");
        assertThat(options.logging().debug()).isFalse();
        assertThat(options.configDigest()).startsWith("sha256:");
    }

    @Test
    void enablesJetStreamBesideABlockOfTheFile() throws Exception {
        String file = file("jetstream {\n  store_dir=/tmp/y\n  max_mem: 1M\n}\n");

        JetStreamSettings settings = options("--config", file, "-js").jetStream();

        assertThat(settings.storeDirectory()).hasToString("/tmp/y");
        assertThat(settings.maxMemory()).isEqualTo(1_000_000);
    }

    @Test
    void refusesAStoreDirectoryGivenTwice() throws Exception {
        String file = file("jetstream {\n  store_dir: /tmp/y\n}\n");

        assertThatThrownBy(() -> options("-c", file, "-sd", "/tmp/x"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(":2:3: Duplicate 'store_dir' configuration");
    }

    @Test
    void refusesWhatItDoesNotKnow() {
        assertThatThrownBy(() -> Flags.parse(List.of("-foo")))
                .isInstanceOf(Flags.UsageException.class)
                .hasMessage("flag provided but not defined: -foo");
        assertThatThrownBy(() -> Flags.parse(List.of("--port"))).hasMessage("flag needs an argument: -port");
        assertThatThrownBy(() -> Flags.parse(List.of("-p", "x")))
                .hasMessage("invalid value \"x\" for flag -p: parse error");
        assertThatThrownBy(() -> Flags.parse(List.of("-D=maybe")))
                .hasMessage("invalid boolean value \"maybe\" for -D: parse error");
    }

    @Test
    void saysWhatThisVersionDoesNotHave() {
        assertThatThrownBy(() -> options("-s")).hasMessageContaining("use --log FILE");
    }

    @Test
    void makesANodeOfAClusterOfFlags() throws Exception {
        ClusterOptions cluster = options(
                        "--cluster",
                        "nats://r:s%20t@127.0.0.1:6222",
                        "--cluster_name",
                        "C",
                        "-routes",
                        "nats-route://h1:6223,nats://r:x@[::1]:6224",
                        "--no_advertise",
                        "--connect_retries",
                        "7",
                        "--cluster_advertise",
                        "out:1")
                .broker()
                .cluster();
        assertThat(cluster.host()).isEqualTo("127.0.0.1");
        assertThat(cluster.port()).isEqualTo(6222);
        assertThat(cluster.user()).isEqualTo("r");
        assertThat(cluster.password()).isEqualTo("s t");
        assertThat(cluster.routes())
                .containsExactly(new RouteAddress("h1", 6223, null, null), new RouteAddress("::1", 6224, "r", "x"));
        assertThat(cluster.noAdvertise()).isTrue();
        assertThat(cluster.connectRetries()).isEqualTo(7);
        assertThat(cluster.advertise()).isEqualTo("out:1");
        assertThat(options("--cluster_listen", "nats://127.0.0.1:-1")
                        .broker()
                        .cluster()
                        .port())
                .isZero();
        assertThat(options("-p", "4222").broker().cluster()).isNull();
        assertThatThrownBy(() -> options("-routes", "nats://h:1"))
                .hasMessageContaining("solicited routes require cluster capabilities");
        assertThatThrownBy(() -> options("--cluster", "nats://h:1", "-routes", "h1:6222"))
                .hasMessageContaining("error parsing route url");
        assertThatThrownBy(() -> options("--cluster", "nats://h:1", "-js"))
                .hasMessageContaining("`server_name`")
                .hasMessageContaining("`cluster.name`");
    }

    @Test
    void tellsRequestsApart() throws Exception {
        assertThat(Flags.parse(List.of("-v")).request()).isEqualTo(Flags.Request.VERSION);
        assertThat(Flags.parse(List.of("version")).request()).isEqualTo(Flags.Request.VERSION);
        assertThat(Flags.parse(List.of("--help")).request()).isEqualTo(Flags.Request.HELP);
        assertThat(Flags.parse(List.of("-sl", "reload=12")).request()).isEqualTo(Flags.Request.SIGNAL);
        assertThat(Flags.parse(List.of("-t", "-c", "x")).request()).isEqualTo(Flags.Request.CHECK);
        assertThat(Flags.parse(List.of("-p", "1")).request()).isEqualTo(Flags.Request.SERVE);
        assertThatThrownBy(() -> Flags.parse(List.of("-t")).request()).hasMessageContaining("must specify");
    }

    @Test
    void takesASingleUserOrATokenOfTheCommandLine() throws Exception {
        var single = options("--user", "u", "--pass", "p").auth().authorization();
        assertThat(single.user()).isEqualTo("u");
        assertThat(single.password()).isEqualTo("p");
        assertThat(options("-auth", "t").auth().authorization().token()).isEqualTo("t");
    }

    @Test
    void wantsCertificateAndKeyWithTls() {
        assertThatThrownBy(() -> options("--tls")).hasMessage("TLS Server certificate must be present and valid");
        assertThatThrownBy(() -> options("--tlscert", "c.pem"))
                .hasMessage("TLS Server private key must be present and valid");
    }
}
