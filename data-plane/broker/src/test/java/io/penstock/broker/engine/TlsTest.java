package io.penstock.broker.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.broker.BrokerOptions;
import io.penstock.broker.ConnectionInfo;
import io.penstock.broker.TlsOptions;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsTest {
    @TempDir
    private static Path folder;

    private static TestingCertificate own;
    private static TestingCertificate other;

    @BeforeAll
    static void makeCertificates() throws Exception {
        own = TestingCertificate.make(folder, "server");
        other = TestingCertificate.make(folder, "client");
    }

    private static TlsOptions tls(boolean verify, Set<String> pins, boolean first, Duration fallback) {
        return new TlsOptions(
                List.of(new TlsOptions.Certificate(own.certFile, own.keyFile)),
                other.certFile,
                verify,
                false,
                List.of(),
                List.of(),
                Duration.ofSeconds(60),
                pins,
                first,
                fallback,
                0);
    }

    private static BrokerOptions options(TlsOptions tls) {
        return TestingServer.options().tls(tls).build();
    }

    /** Continues an open connection under TLS. */
    private static RawClient upgrade(Socket socket, TestingCertificate shown, boolean readInfo) throws Exception {
        SSLContext context = own.client(shown);
        SSLSocket secure =
                (SSLSocket) context.getSocketFactory().createSocket(socket, "localhost", socket.getPort(), true);
        secure.startHandshake();
        return new RawClient(secure, readInfo);
    }

    private static void exchangeOneMessage(RawClient client) throws Exception {
        client.hello("");
        assertThat(client.exchange("SUB a 1\r\nPUB a 2\r\nhi\r\n")).isEqualTo("MSG a 1 2\r\nhi\r\n");
    }

    @Test
    void upgradesAfterInfo() throws Exception {
        try (TestingServer server = TestingServer.start(options(tls(false, Set.of(), false, Duration.ZERO)));
                RawClient plain = server.open()) {
            assertThat(plain.info).contains("\"tls_required\":true").doesNotContain("tls_available");
            try (RawClient client = upgrade(plain.socket, null, false)) {
                exchangeOneMessage(client);
                ConnectionInfo info = server.broker.connections().getFirst().info();
                assertThat(info.tls()).isTrue();
                assertThat(info.tlsVersion()).isEqualTo("1.3");
            }
        }
    }

    @Test
    void refusesPlainClients() throws Exception {
        try (TestingServer server = TestingServer.start(options(tls(false, Set.of(), false, Duration.ZERO)));
                RawClient plain = server.open()) {
            plain.send("CONNECT {}\r\nPING\r\n");
            assertThat(plain.untilClosed()).doesNotContain("PONG");
        }
    }

    @Test
    void letsPlainAndTlsClientsInWhenBothAreAllowed() throws Exception {
        BrokerOptions both = options(tls(false, Set.of(), false, Duration.ZERO)).toBuilder()
                .allowNonTls(true)
                .build();
        try (TestingServer server = TestingServer.start(both);
                RawClient plain = server.open();
                RawClient secure = server.open()) {
            assertThat(plain.info).contains("\"tls_available\":true").doesNotContain("tls_required");
            exchangeOneMessage(plain);
            exchangeOneMessage(upgrade(secure.socket, null, false));
        }
    }

    @Test
    void speaksOnlyUnderTlsWhenTheHandshakeComesFirst() throws Exception {
        try (TestingServer server = TestingServer.start(options(tls(false, Set.of(), true, Duration.ZERO)));
                RawClient client = upgrade(new Socket(InetAddress.getLoopbackAddress(), server.port()), null, true)) {
            assertThat(client.info).contains("\"tls_required\":true");
            exchangeOneMessage(client);
        }
    }

    @Test
    void fallsBackToInfoForSilentClients() throws Exception {
        // The eager one's greeting may take a while on a busy machine.
        try (TestingServer server = TestingServer.start(options(tls(false, Set.of(), true, Duration.ofSeconds(3))));
                RawClient silent = server.open();
                RawClient eager = upgrade(new Socket(InetAddress.getLoopbackAddress(), server.port()), null, true)) {
            exchangeOneMessage(upgrade(silent.socket, null, false));
            exchangeOneMessage(eager);
        }
    }

    @Test
    void demandsAndShowsClientCertificates() throws Exception {
        try (TestingServer server = TestingServer.start(options(tls(true, Set.of(), false, Duration.ZERO)));
                RawClient with = server.open();
                RawClient without = server.open()) {
            assertThat(with.info).contains("\"tls_verify\":true");
            exchangeOneMessage(upgrade(with.socket, other, false));
            assertThat(server.broker
                            .connection(1)
                            .info()
                            .peerCertificates()
                            .getFirst()
                            .getSubjectX500Principal()
                            .getName())
                    .isEqualTo("CN=client");
            assertThatThrownBy(() -> exchangeOneMessage(upgrade(without.socket, null, false)))
                    .isInstanceOf(java.io.IOException.class);
        }
    }

    @Test
    void admitsPinnedCertificatesOnly() throws Exception {
        try (TestingServer server = TestingServer.start(options(tls(true, Set.of(other.pin()), false, Duration.ZERO)));
                RawClient pinned = server.open()) {
            exchangeOneMessage(upgrade(pinned.socket, other, false));
        }
        try (TestingServer server = TestingServer.start(options(tls(true, Set.of("00"), false, Duration.ZERO)));
                RawClient unknown = server.open()) {
            assertThatThrownBy(() -> exchangeOneMessage(upgrade(unknown.socket, other, false)))
                    .isInstanceOf(java.io.IOException.class);
        }
    }

    @Test
    void namesTheFileItCannotUse() throws Exception {
        Path missing = folder.resolve("missing.pem");
        assertThatThrownBy(() -> TestingServer.start(options(TlsOptions.of(missing, own.keyFile))))
                .hasMessageContaining("missing.pem");
    }
}
