package io.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What operators do to clusters of whole processes: secure them, lose, evacuate, remove and replace nodes, grow. */
@Tag("wire")
class ClusterOperationsWireTest {
    private static final int NOT_A_MEMBER = 10044;
    private static final Pattern PEER_PORT = Pattern.compile("Listening for peer connections on [^ ]*:(\\d+)");

    /** A node that is busy with its start may take long to close a connection. */
    private static final int SILENCE_MILLIS = 60_000;

    @TempDir
    private Path directory;

    private TestingNodes nodes;

    @BeforeEach
    void needTheClient() {
        assumeThat(TestingNodes.cli()).as("the nats command is installed").isNotNull();
    }

    @AfterEach
    void stop() {
        if (nodes != null) {
            nodes.close();
        }
    }

    @Test
    void fiveNodesOfAnOperatorWithEncryptionEverywhere() throws Exception {
        TestingIdentities identities = new TestingIdentities(directory);
        TestingPem tls = new TestingPem(directory);
        nodes = new TestingNodes(directory, 5, identities, tls);
        nodes.startAll();
        awaitServers(5);
        pushAccount(identities);
        peerLinkIsEncrypted(tls);

        nodes.succeed(2, "stream", "add", "S5", "--subjects=s5.>", "--replicas=5", "--defaults");
        nodes.awaitWhole(0, "S5", 5);
        nodes.awaitAcknowledged("five take it", 1, "s5.1", "one");
        nodes.kill(1);
        nodes.kill(2);
        nodes.awaitAcknowledged("three of five go on", 0, "s5.2", "two");
        nodes.wipe(2);
        nodes.start(1);
        nodes.start(2);
        nodes.awaitWhole(0, "S5", 5);
        nodes.awaitShown(0, List.of("one"), "stream", "get", "S5", "1");

        leavesANodeOut();
        Awaitility.await("purge")
                .atMost(TestingNodes.PATIENCE)
                .until(() -> nodes.system(0, "server", "account", "purge", identities.account(), "--force")
                                .code()
                        == 0);
        nodes.awaitShown(3, List.of("No Streams defined"), "stream", "ls");
    }

    /** A push reaches every node's own store. */
    private void pushAccount(TestingIdentities identities) {
        Awaitility.await("the account is pushed")
                .atMost(TestingNodes.PATIENCE)
                .until(() -> nodes.system(1, "request", "$SYS.REQ.CLAIMS.UPDATE", identities.accountJwt(), "--raw")
                        .text()
                        .contains("jwt updated"));
        for (int i = 0; i < 5; i++) {
            Path file = nodes.home(i).resolve("jwt").resolve(identities.account() + ".jwt");
            Awaitility.await(file.toString()).atMost(TestingNodes.PATIENCE).until(() -> Files.exists(file));
        }
    }

    private void peerLinkIsEncrypted(TestingPem tls) throws Exception {
        Matcher found = PEER_PORT.matcher(nodes.node(0).log());
        assertThat(found.find()).isTrue();
        int port = Integer.parseInt(found.group(1));
        SSLContext ours = tls.context(true);
        // A node closes a connection whose handshake takes long, as it may on a busy machine.
        Awaitility.await("a handshake")
                .atMost(TestingNodes.PATIENCE)
                .ignoreExceptionsInstanceOf(IOException.class)
                .untilAsserted(() -> {
                    try (SSLSocket socket =
                            (SSLSocket) ours.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port)) {
                        socket.startHandshake();
                        assertThat(socket.getSession().getProtocol()).startsWith("TLS");
                    }
                });
        assertThatThrownBy(() -> {
                    try (SSLSocket socket = (SSLSocket) tls.context(false)
                            .getSocketFactory()
                            .createSocket(InetAddress.getLoopbackAddress(), port)) {
                        socket.setSoTimeout(SILENCE_MILLIS);
                        socket.startHandshake();
                        // The refusal comes with the first answer.
                        if (socket.getInputStream().read() < 0) {
                            throw new IOException("closed");
                        }
                    }
                })
                .as("without a certificate")
                .isInstanceOf(IOException.class);
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(SILENCE_MILLIS);
            socket.getOutputStream().write("hello, this is no handshake\r\n".getBytes(StandardCharsets.UTF_8));
            assertThat(socket.getInputStream().readNBytes(1))
                    .as("nothing, or the alert of a TLS record")
                    .satisfiesAnyOf(
                            none -> assertThat(none).isEmpty(),
                            alert -> assertThat(alert).containsExactly(21));
        } catch (SocketException e) {
            assertThat(e).hasMessageContaining("reset");
        }
    }

    private void leavesANodeOut() {
        // Twice is as good as once.
        awaitSuccess("SERVER.EVACUATE");
        awaitSuccess("SERVER.EVACUATE");
        awaitSuccess("SERVER.REMOVE");
        Awaitility.await("four replicas")
                .atMost(TestingNodes.PATIENCE)
                .until(() -> nodes.replicas(0, "S5").equals(Set.of("n0", "n1", "n2", "n3")));
        // It runs on, and hears that it is out.
        Awaitility.await("n4 knows")
                .atMost(TestingNodes.PATIENCE)
                .until(() -> nodes.node(4).get("healthz").body().contains("was removed from the cluster"));
        for (int i = 0; i < 5; i++) {
            nodes.succeed(i, "stream", "info", "S5");
        }
    }

    private void awaitSuccess(String request) {
        Awaitility.await(request).atMost(TestingNodes.PATIENCE).until(() -> {
            JsonNode answer = nodes.ask(0, request, "{\"peer\":\"n4\"}");
            // An answer may have been lost.
            boolean gone = answer.path("error").path("err_code").asInt() == NOT_A_MEMBER;
            return answer.path("success").asBoolean() || gone;
        });
    }

    private void awaitServers(int count) {
        Awaitility.await("servers").atMost(TestingNodes.PATIENCE).until(() -> {
            TestingNodes.Output list = nodes.system(0, "server", "list", Integer.toString(count), "--json");
            return list.code() == 0
                    && Pattern.compile("\"az:[a-z]")
                                    .matcher(list.text())
                                    .results()
                                    .count()
                            == count;
        });
    }

    @Test
    void aNodeThatWasAloneBringsItsStreamsAndNeverVotesOnWhatItForgot() throws Exception {
        nodes = new TestingNodes(directory, 3, null, null);
        nodes.start(0, false);
        nodes.node(0).ports();
        nodes.succeed(0, "stream", "add", "OLD", "--subjects=old.>", "--defaults");
        nodes.publish(0, "old.1", 29);
        nodes.succeed(0, "consumer", "add", "OLD", "c", "--pull", "--defaults");
        assertThat(nodes.user(0, "consumer", "next", "OLD", "c", "--count=10", "--ack")
                        .code())
                .isZero();
        // What was delivered and acknowledged without an answer is on disk once something behind it is.
        nodes.awaitShown(
                0, List.of("\"num_pending\": 19", "\"num_ack_pending\": 0"), "consumer", "info", "OLD", "c", "--json");
        nodes.awaitAcknowledged("what is behind it", 0, "old.1", "last");
        nodes.node(0).signal("TERM");
        nodes.node(0).awaitExit();

        nodes.startAll();
        // The stream is taken in.
        nodes.awaitShown(1, List.of("OLD"), "stream", "ls", "--names");
        nodes.awaitAcknowledged("it is served", 2, "old.2", "y");
        nodes.succeed(1, "stream", "edit", "OLD", "--replicas=3", "--force");
        nodes.awaitWhole(1, "OLD", 3);
        nodes.awaitMessages(1, "OLD", 31);
        nodes.awaitShown(1, List.of("\"num_pending\": 21"), "consumer", "info", "OLD", "c", "--json");

        wipedVoter();
        long messages = nodes.messages(0, "OLD");
        nodes.succeed(0, "stream", "edit", "OLD", "--replicas=1", "--force");
        nodes.awaitWhole(0, "OLD", 1);
        nodes.awaitMessages(0, "OLD", messages);
        nodes.awaitShown(1, List.of("\"num_pending\": " + (messages - 10)), "consumer", "info", "OLD", "c", "--json");
    }

    /** With one replica away and one that has forgotten everything, the third has no majority. */
    private void wipedVoter() throws Exception {
        nodes.kill(1);
        nodes.kill(2);
        nodes.wipe(1);
        nodes.start(1);
        nodes.node(1).ports();
        Awaitility.await("n1 meets n0")
                .atMost(TestingNodes.PATIENCE)
                .until(() -> nodes.node(1).log().contains("joins the cluster"));
        // Longer than any election takes.
        nodes.assertRefused(Duration.ofSeconds(4), "old.3", 0);
        nodes.start(2);
        nodes.awaitAcknowledged("two that remember are a majority", 0, "old.4", "z");
        nodes.awaitWhole(0, "OLD", 3);
        nodes.awaitShown(0, List.of("old.1", "old.2", "old.4"), "stream", "subjects", "OLD");
    }
}
