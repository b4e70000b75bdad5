package io.penstock.accountservice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.penstock.accountservice.TestingControlPlane.Answer;
import io.penstock.accountservice.sync.SystemConnection;
import io.penstock.claims.TestingNatsServer;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two nodes: claims count as synced when both have them. */
@Tag("wire")
@QuarkusTest
@QuarkusTestResource(TestingEnvironment.class)
class ReferenceClusterTest {
    private static final Duration LIMIT = Duration.ofSeconds(90);

    @Inject
    SystemConnection system;

    private final TestingControlPlane controlPlane = new TestingControlPlane(TestingEnvironment.statementSecret());
    private final String account = "acc_" + UUID.randomUUID().toString().replace("-", "");
    private Path folder;
    private int otherPort;
    private int firstRoute;
    private int otherRoute;
    private TestingNatsServer first;
    private TestingNatsServer other;

    @BeforeEach
    void startNodes() throws IOException {
        assumeTrue(TestingNatsServer.referenceServer().isPresent(), "no nats-server on this machine");
        folder = Files.createTempDirectory(TestingEnvironment.folder(), "cluster");
        otherPort = TestingNatsServer.freePort();
        firstRoute = TestingNatsServer.freePort();
        otherRoute = TestingNatsServer.freePort();
        other = launch("n2", otherPort, otherRoute, firstRoute);
        first = launch("n1", TestingEnvironment.nodePort(), firstRoute, otherRoute);
        await().atMost(LIMIT).untilAsserted(() -> assertThat(nodes()).isEqualTo(2));
    }

    @AfterEach
    void stopNodes() {
        if (first != null) {
            first.close();
        }
        if (other != null) {
            other.close();
        }
    }

    @Test
    void bothNodesHaveTheClaimsAndANodeThatWasAwayCatchesUp() throws Exception {
        Answer created = controlPlane.put("/accounts/" + account, Wishes.account(1, "acme", "active"));
        awaitSynced();
        String publicKey = created.text("public_key");
        String before = Files.readString(resolverFile("n1", publicKey));
        assertThat(resolverFile("n2", publicKey)).hasContent(before);

        other.close();
        controlPlane.put("/accounts/" + account, Wishes.account(2, "acme 2", "active"));
        awaitSynced();
        String after = Files.readString(resolverFile("n1", publicKey));
        assertThat(after).isNotEqualTo(before);

        Files.writeString(resolverFile("n2", publicKey), before);
        other = launch("n2", otherPort, otherRoute, firstRoute);
        await().atMost(LIMIT)
                .untilAsserted(() -> assertThat(resolverFile("n2", publicKey)).hasContent(after));
        await().atMost(LIMIT)
                .untilAsserted(() -> assertThat(system.lookup(publicKey)).containsExactly(after, after));
    }

    private void awaitSynced() {
        await().atMost(LIMIT)
                .untilAsserted(() -> assertThat(
                                controlPlane.get("/accounts/" + account).text("sync_state"))
                        .isEqualTo("synced"));
    }

    private int nodes() {
        return system.isConnected() ? system.nodes() : 0;
    }

    private TestingNatsServer launch(String name, int port, int route, int peer) throws IOException {
        Path home = Files.createDirectories(folder.resolve(name));
        Path resolver = Files.createDirectories(home.resolve("resolver"));
        Files.writeString(
                home.resolve("operator.conf"),
                Files.readString(TestingEnvironment.bootstrapDir().resolve("operator.conf")));
        return TestingNatsServer.start(TestingNatsServer.referenceServer().orElseThrow(), port, home, """
                server_name: %s
                include ./operator.conf
                resolver: { type: full, dir: "%s", allow_delete: true, interval: "10m" }
                cluster: { name: c1, listen: "127.0.0.1:%d", routes: ["nats://127.0.0.1:%d"] }
                """.formatted(
                        name, resolver, route, peer));
    }

    private Path resolverFile(String node, String publicKey) {
        return folder.resolve(node).resolve("resolver").resolve(publicKey + ".jwt");
    }
}
