package io.penstock.accountservice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nats.client.Connection;
import io.nats.client.ErrorListener;
import io.nats.client.JetStreamManagement;
import io.nats.client.JetStreamOptions;
import io.nats.client.Message;
import io.nats.client.Nats;
import io.nats.client.Options;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import io.penstock.accountservice.TestingControlPlane.Answer;
import io.penstock.accountservice.operator.SystemUser;
import io.penstock.accountservice.sync.NodeClaims;
import io.penstock.accountservice.sync.SystemConnection;
import io.penstock.claims.CredentialsFile;
import io.penstock.claims.JwtDecoder;
import io.penstock.claims.TestingNatsServer;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What must hold between the service and a node in operator mode, whoever's node it is. */
@SuppressWarnings("try") // close() of a client may be interrupted; the test then fails anyway
abstract class NodeChecks {
    private static final Duration LIMIT = Duration.ofSeconds(90);
    private static final Duration REFUSED = Duration.ofSeconds(2);
    private static final JetStreamOptions PATIENT =
            JetStreamOptions.builder().requestTimeout(LIMIT).build();

    @Inject
    SystemConnection system;

    @Inject
    SystemUser systemUser;

    private final TestingControlPlane controlPlane = new TestingControlPlane(TestingEnvironment.statementSecret());
    private TestingNatsServer node;
    private Path nodeFolder;
    private String account;

    /** The node's executable, or empty with the reason in {@link #absence}. */
    abstract Optional<Path> executable();

    abstract String absence();

    @BeforeEach
    void startNode() throws IOException {
        assumeTrue(executable().isPresent(), absence());
        nodeFolder = Files.createTempDirectory(TestingEnvironment.folder(), "node");
        node = launch();
        account = "acc_" + id();
        await().atMost(LIMIT).untilAsserted(() -> assertThat(brokerConnected()).isTrue());
    }

    @AfterEach
    void stopNode() {
        if (node != null) {
            node.close();
        }
    }

    @Test
    void aNewAccountIsOnTheNodeAndItsUsersConnect() throws Exception {
        assertSynced(controlPlane.put("/accounts/" + account, Wishes.account(1, "acme", "active")), 1);
        assertSynced(putGroup("worker"), 0);
        try (Connection worker = connect(issue("worker", "w1").text("creds"))) {
            var subscription = worker.subscribe("jobs.w1.x");
            worker.publish("jobs.w1.x", "hello".getBytes(StandardCharsets.UTF_8));
            Message message = subscription.nextMessage(LIMIT);
            assertThat(message).isNotNull();
            assertThat(message.getData()).isEqualTo("hello".getBytes(StandardCharsets.UTF_8));
        }
    }

    @Test
    void theLedgerShowsWhoConnected() throws Exception {
        createAccountWithWorkers();
        Answer issued = issue("worker", "w1");
        String issuance = "/issuances/" + issued.text("issuance_id");
        assertThat(controlPlane.get(issuance).body().path("first_connected").isNull())
                .isTrue();
        try (Connection worker = connect(issued.text("creds"))) {
            assertThat(worker.getStatus()).isEqualTo(Connection.Status.CONNECTED);
            await().atMost(LIMIT)
                    .untilAsserted(() -> assertThat(controlPlane.get(issuance).text("first_connected"))
                            .isNotNull());
        }
        await().atMost(LIMIT)
                .untilAsserted(() -> assertThat(controlPlane.get(issuance).text("last_disconnected"))
                        .isNotNull());
        assertThat(controlPlane.get(issuance).body().path("connections").asInt())
                .isEqualTo(1);
    }

    @Test
    void aRevokedUserIsDisconnectedAndKeptOut() throws Exception {
        createAccountWithWorkers();
        Answer issued = issue("worker", "w1");
        try (Connection worker = connect(issued.text("creds"))) {
            Answer revoked = controlPlane.post(
                    "/accounts/" + account + "/revocations",
                    Map.of("user_public_key", issued.text("user_public_key"), "reason", "leak"));
            assertSynced(revoked, 0);
            awaitClosed(worker);
        }
        assertRefused(issued.text("creds"));
        try (Connection other = connect(issue("worker", "w2").text("creds"))) {
            assertThat(other.getStatus()).isEqualTo(Connection.Status.CONNECTED);
        }
    }

    @Test
    void revokingAllStopsAllAndNewTokensWorkAtOnce() throws Exception {
        createAccountWithWorkers();
        Answer issued = issue("worker", "w1");
        try (Connection worker = connect(issued.text("creds"))) {
            controlPlane.post(
                    "/accounts/" + account + "/revocations", Map.of("user_public_key", "*", "reason", "leak"));
            awaitClosed(worker);
        }
        try (Connection later = connect(issue("worker", "w1").text("creds"))) {
            assertThat(later.getStatus()).isEqualTo(Connection.Status.CONNECTED);
        }
    }

    @Test
    void aRotatedKeysUsersStayAndAnAbandonedKeysUsersGo() throws Exception {
        createAccountWithWorkers();
        String rotate = groupPath("worker") + "/actions/rotate";
        Answer first = issue("worker", "w1");
        try (Connection worker = connect(first.text("creds"))) {
            assertSynced(controlPlane.post(rotate, Map.of("keep_previous_seconds", 3600)), 0);
            try (Connection second = connect(issue("worker", "w2").text("creds"))) {
                assertThat(second.getStatus()).isEqualTo(Connection.Status.CONNECTED);
            }
            worker.flush(LIMIT);
            assertThat(worker.getStatus()).isEqualTo(Connection.Status.CONNECTED);
            controlPlane.post(rotate, Map.of("keep_previous_seconds", 0));
            awaitClosed(worker);
        }
        assertRefused(first.text("creds"));
    }

    @Test
    void aSuspendedAccountsUsersGoAndItsDataStays() throws Exception {
        createAccountWithWorkers();
        Answer issued = issue("worker", "w1");
        try (Connection management = manage()) {
            management.jetStreamManagement(PATIENT).addStream(orders());
        }
        try (Connection worker = connect(issued.text("creds"))) {
            assertSynced(controlPlane.put("/accounts/" + account, Wishes.account(2, "acme", "suspended")), 2);
            awaitClosed(worker);
        }
        assertRefused(issued.text("creds"));
        try (Connection management = manage()) {
            assertThat(management.jetStreamManagement(PATIENT).getStreamNames()).containsExactly("ORDERS");
        }
        assertSynced(controlPlane.put("/accounts/" + account, Wishes.account(3, "acme", "active")), 3);
        try (Connection worker = connect(issued.text("creds"))) {
            assertThat(worker.getStatus()).isEqualTo(Connection.Status.CONNECTED);
        }
    }

    @Test
    void theControlPlanesUserManagesStreamsAndNothingElse() throws Exception {
        createAccountWithWorkers();
        List<String> errors = new CopyOnWriteArrayList<>();
        Answer credential = controlPlane.post(
                "/accounts/" + account + "/management-credential", Map.of("ttl_seconds", 60, "purpose", "test"));
        try (Connection management = connect(credsOf(credential), errors)) {
            JetStreamManagement streams = management.jetStreamManagement(PATIENT);
            streams.addStream(orders());
            assertThat(streams.getStreamInfo("ORDERS").getConfiguration().getSubjects())
                    .containsExactly("orders.>");
            management.publish("orders.new", new byte[0]);
            management.subscribe("orders.>");
            await().atMost(LIMIT)
                    .untilAsserted(() -> assertThat(errors)
                            .anyMatch(e -> e.toLowerCase(Locale.ROOT).contains("publish to \"orders.new\""))
                            .anyMatch(e -> e.toLowerCase(Locale.ROOT).contains("subscription to \"orders.>\"")));
        }
    }

    @Test
    void aNodeThatLostItsClaimsOrWasGivenOlderOnesIsRepaired() throws Exception {
        createAccountWithWorkers();
        Answer issued = issue("worker", "w1");
        String publicKey = controlPlane.get("/accounts/" + account).text("public_key");
        Path stored = resolverFile(publicKey);
        String old = Files.readString(stored);
        controlPlane.post(
                "/accounts/" + account + "/revocations",
                Map.of("user_public_key", issued.text("user_public_key"), "reason", "leak"));
        String current = awaitOther(stored, old);

        node.close();
        Files.writeString(stored, old);
        node = launch();
        await().atMost(LIMIT)
                .untilAsserted(() ->
                        assertThat(Files.readString(resolverFile(publicKey))).isEqualTo(current));
        assertRefused(issued.text("creds"));

        node.close();
        Files.delete(resolverFile(publicKey));
        node = launch();
        await().atMost(LIMIT)
                .untilAsserted(() -> assertThat(resolverFile(publicKey)).hasContent(current));
    }

    @Test
    void anOlderTokenPushedAgainIsReplacedByTheLatest() throws Exception {
        createAccountWithWorkers();
        Answer issued = issue("worker", "w1");
        String publicKey = controlPlane.get("/accounts/" + account).text("public_key");
        String old = Files.readString(resolverFile(publicKey));
        controlPlane.post(
                "/accounts/" + account + "/revocations",
                Map.of("user_public_key", issued.text("user_public_key"), "reason", "leak"));
        String current = awaitOther(resolverFile(publicKey), old);
        NodeClaims.Outcome pushed = system.push(old);
        assertThat(pushed.complete()).as(pushed.toString()).isTrue();
        await().atMost(LIMIT)
                .untilAsserted(() -> assertThat(system.lookup(publicKey)).containsExactly(current));
        assertRefused(issued.text("creds"));
    }

    @Test
    void aTenantReachesNothingOfTheSystemAccount() throws Exception {
        createAccountWithWorkers();
        controlPlane.put(groupPath("root"), Wishes.group("root", List.of(), List.of()));
        try (Connection root = connect(issue("root", "r").text("creds"))) {
            String publicKey = controlPlane.get("/accounts/" + account).text("public_key");
            for (String subject : List.of(
                    "$SYS.REQ.CLAIMS.LIST",
                    "$SYS.REQ.CLAIMS.UPDATE",
                    "$SYS.REQ.CLAIMS.DELETE",
                    "$SYS.REQ.ACCOUNT." + publicKey + ".CLAIMS.LOOKUP",
                    "$SYS.REQ.SERVER.PING.VARZ")) {
                assertThat(root.request(subject, new byte[0], Duration.ofMillis(500)))
                        .as(subject)
                        .isNull();
            }
            var events = root.subscribe("$SYS.>");
            root.flush(LIMIT);
            try (Connection other = connect(issue("worker", "w1").text("creds"))) {
                other.flush(LIMIT);
            }
            assertThat(events.nextMessage(Duration.ofMillis(500))).isNull();
        }
    }

    @Test
    void theServicesOwnUserMayDoNothingButItsWork() throws Exception {
        List<String> errors = new CopyOnWriteArrayList<>();
        SystemUser.Login login = systemUser.newLogin();
        byte[] seed = login.pair().seed();
        String creds = new String(CredentialsFile.write(login.jwt(), seed), StandardCharsets.US_ASCII);
        try (Connection connection = connect(creds, errors)) {
            connection.publish("$SYS.REQ.SERVER.PING.VARZ", new byte[0]);
            connection.subscribe("$SYS.SERVER.>");
            await().atMost(LIMIT)
                    .untilAsserted(() -> assertThat(errors)
                            .anyMatch(e ->
                                    e.toLowerCase(Locale.ROOT).contains("publish to \"$sys.req.server.ping.varz\""))
                            .anyMatch(e -> e.toLowerCase(Locale.ROOT).contains("subscription to \"$sys.server.>\"")));
        }
    }

    @Test
    void aDeletedAccountLeavesTheNodeAndItsKeysAreDestroyed() throws Exception {
        createAccountWithWorkers();
        Answer issued = issue("worker", "w1");
        String publicKey = controlPlane.get("/accounts/" + account).text("public_key");
        try (Connection worker = connect(issued.text("creds"))) {
            assertThat(controlPlane.delete("/accounts/" + account).status()).isEqualTo(202);
            awaitClosed(worker);
        }
        await().atMost(LIMIT)
                .untilAsserted(() -> assertThat(
                                controlPlane.get("/accounts/" + account).text("state"))
                        .isEqualTo("deleted"));
        assertThat(resolverFile(publicKey)).doesNotExist();
        assertThat(TestingEnvironment.keystoreDir().resolve(account)).doesNotExist();
        assertRefused(issued.text("creds"));
        assertThat(controlPlane
                        .put("/accounts/" + account, Wishes.account(9, "acme", "active"))
                        .text("code"))
                .isEqualTo("account_deleted");
    }

    @Test
    void whatWasAskedWithoutANodeReachesItLater() throws Exception {
        node.close();
        await().atMost(LIMIT).untilAsserted(() -> assertThat(brokerConnected()).isFalse());
        Answer created = controlPlane.put("/accounts/" + account, Wishes.account(1, "acme", "active"));
        assertThat(created.text("sync_state")).isEqualTo("failed");
        putGroup("worker");
        Answer issued = issue("worker", "w1");
        node = launch();
        await().atMost(LIMIT)
                .untilAsserted(() -> assertThat(
                                controlPlane.get("/accounts/" + account).text("sync_state"))
                        .isEqualTo("synced"));
        try (Connection worker = connect(issued.text("creds"))) {
            assertThat(worker.getStatus()).isEqualTo(Connection.Status.CONNECTED);
        }
    }

    @Test
    void twoTenantsWithTheSameSubjectsSeeNothingOfEachOther() throws Exception {
        createAccountWithWorkers();
        String creds = issue("worker", "w1").text("creds");
        String first = account;
        account = "acc_" + id();
        createAccountWithWorkers();
        assertThat(account).isNotEqualTo(first);
        try (Connection one = connect(creds);
                Connection other = connect(issue("worker", "w1").text("creds"))) {
            var subscription = other.subscribe(">");
            var own = other.subscribe("jobs.w1.own");
            other.flush(LIMIT);
            one.publish("jobs.w1.x", new byte[] {1});
            one.flush(LIMIT);
            other.publish("jobs.w1.own", new byte[] {2});
            assertThat(own.nextMessage(LIMIT).getData()).containsExactly(2);
            assertThat(subscription.getPendingMessageCount()).isLessThanOrEqualTo(1);
        }
    }

    private void createAccountWithWorkers() {
        assertSynced(controlPlane.put("/accounts/" + account, Wishes.account(1, "acme", "active")), 1);
        assertSynced(putGroup("worker"), 0);
    }

    private Answer putGroup(String groupId) {
        return controlPlane.put(
                groupPath(groupId),
                Wishes.group(groupId, List.of("jobs.{{name()}}.>"), List.of("_INBOX.>", "jobs.>", ">")));
    }

    private Answer issue(String groupId, String name) {
        Answer issued = controlPlane.post(groupPath(groupId) + "/issue", Wishes.issue(id(), name, null));
        assertThat(issued.status()).isEqualTo(201);
        return issued;
    }

    private Connection manage() throws Exception {
        return connect(credsOf(controlPlane.post(
                "/accounts/" + account + "/management-credential", Map.of("ttl_seconds", 60, "purpose", "test"))));
    }

    private static String credsOf(Answer credential) {
        byte[] file = CredentialsFile.write(
                credential.text("jwt"), credential.text("seed").getBytes(StandardCharsets.US_ASCII));
        return new String(file, StandardCharsets.US_ASCII);
    }

    private Connection connect(String creds) throws Exception {
        return connect(creds, new CopyOnWriteArrayList<>());
    }

    private Connection connect(String creds, List<String> errors) throws Exception {
        return connect(creds, errors, LIMIT);
    }

    private Connection connect(String creds, List<String> errors, Duration patience) throws Exception {
        return Nats.connect(Options.builder()
                .server(node.url())
                .authHandler(Nats.staticCredentials(creds.getBytes(StandardCharsets.US_ASCII)))
                .noReconnect()
                .connectionTimeout(patience)
                .errorListener(new ErrorListener() {
                    @Override
                    public void errorOccurred(Connection connection, String error) {
                        errors.add(error);
                    }
                })
                .build());
    }

    private void assertRefused(String creds) {
        // The client waits for its whole patience though it has been refused: a short one, and again should that be
        // over first.
        await().atMost(LIMIT).until(() -> refusal(creds).contains("uthorization Violation"));
    }

    /** Why there is no connection. */
    private String refusal(String creds) {
        try (Connection connected = connect(creds, new CopyOnWriteArrayList<>(), REFUSED)) {
            throw new AssertionError("connected: " + connected.getServerInfo());
        } catch (Exception e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static void awaitClosed(Connection connection) {
        await().atMost(LIMIT).until(() -> connection.getStatus() == Connection.Status.CLOSED);
    }

    private static StreamConfiguration orders() {
        return StreamConfiguration.builder()
                .name("ORDERS")
                .subjects("orders.>")
                .storageType(StorageType.File)
                .build();
    }

    /** A request waits a moment for the nodes; on a busy machine they may take longer. */
    private void assertSynced(Answer answer, long generation) {
        assertThat(answer.status()).as(answer.body().toString()).isIn(200, 201);
        await().atMost(LIMIT).untilAsserted(() -> {
            Answer now = controlPlane.get("/accounts/" + account);
            assertThat(now.text("sync_state")).as(now.body().toString()).isEqualTo("synced");
            if (generation > 0) {
                assertThat(now.body().path("observed_generation").asLong()).isEqualTo(generation);
            }
        });
    }

    /** What a node holds once it is not this any more, and whole: a real server may still be writing it. */
    private static String awaitOther(Path file, String old) {
        String[] found = {old};
        await().atMost(LIMIT).ignoreExceptions().until(() -> {
            found[0] = Files.readString(file);
            return !found[0].equals(old) && JwtDecoder.decode(found[0]) != null;
        });
        return found[0];
    }

    private boolean brokerConnected() {
        return TestingControlPlane.health().toString().contains("\"connected\":true");
    }

    private TestingNatsServer launch() throws IOException {
        Path resolver = Files.createDirectories(nodeFolder.resolve("resolver"));
        Path bootstrap = Files.copy(
                TestingEnvironment.bootstrapDir().resolve("operator.conf"),
                nodeFolder.resolve("operator.conf"),
                StandardCopyOption.REPLACE_EXISTING);
        return TestingNatsServer.start(
                executable().orElseThrow(), TestingEnvironment.nodePort(), nodeFolder, """
                server_name: n1
                include ./%s
                resolver: { type: full, dir: "%s", allow_delete: true, interval: "2m" }
                jetstream: { store_dir: "%s" }
                """.formatted(
                                bootstrap.getFileName(), resolver, nodeFolder.resolve("js")));
    }

    private Path resolverFile(String publicKey) throws IOException {
        try (Stream<Path> files = Files.walk(nodeFolder.resolve("resolver"))) {
            return files.filter(file -> file.getFileName().toString().equals(publicKey + ".jwt"))
                    .findFirst()
                    .orElse(nodeFolder.resolve("resolver").resolve(publicKey + ".jwt"));
        }
    }

    private String groupPath(String groupId) {
        return "/accounts/" + account + "/signing-key-groups/" + groupId;
    }

    private static String id() {
        return UUID.randomUUID().toString().replace("-", "");
    }
}
