package io.penstock.accountservice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.accountservice.TestingControlPlane.Answer;
import io.penstock.accountservice.account.RevocationJournal;
import io.penstock.accountservice.audit.AuditLog;
import io.penstock.accountservice.custody.KeyRef;
import io.penstock.accountservice.custody.KeyVault;
import io.penstock.claims.CredentialsFile;
import io.penstock.claims.JwtDecoder;
import io.quarkus.narayana.jta.QuarkusTransaction;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Where seeds must never be, and what must not be changed behind the service's back. */
@QuarkusTest
@QuarkusTestResource(TestingEnvironment.class)
class CustodySecurityTest {
    /** Any seed at all: operator, account or user, in text. */
    private static final Pattern SEED = Pattern.compile("S[OAU][A-Z2-7]{56}");

    @Inject
    DataSource database;

    @Inject
    AuditLog audit;

    @Inject
    KeyVault vault;

    @Inject
    RevocationJournal journal;

    private final TestingControlPlane controlPlane = new TestingControlPlane(TestingEnvironment.statementSecret());
    private final String account = "acc_" + id();

    @Test
    void noSeedIsInDatabaseLogsFilesOrAnyAnswerButTheOneThatDeliversIt() throws Exception {
        createAccount();
        Answer issued = controlPlane.post(group("worker") + "/issue", Wishes.issue(id(), "w1", null));
        String canary = new String(
                CredentialsFile.parse(issued.text("creds").getBytes(StandardCharsets.US_ASCII))
                        .seed(),
                StandardCharsets.US_ASCII);
        assertThat(SEED.matcher(canary).matches()).isTrue();
        Answer management = controlPlane.post(
                "/accounts/" + account + "/management-credential", Map.of("ttl_seconds", 60, "purpose", "canary"));
        String second = management.text("seed");
        provokeErrors(canary);

        assertThat(dump()).contains(account, issued.text("user_public_key")).doesNotContain(canary, second);
        assertThat(SEED.matcher(dump()).find()).isFalse();
        String log = Files.readString(TestingEnvironment.folder().resolve("service.log"));
        assertThat(log).contains("made operator").doesNotContain(canary, second);
        assertThat(SEED.matcher(log).find()).isFalse();
        for (Path file : files(TestingEnvironment.keystoreDir(), TestingEnvironment.bootstrapDir())) {
            String content = Files.readString(file, StandardCharsets.ISO_8859_1);
            assertThat(SEED.matcher(content).find()).as(file.toString()).isFalse();
        }
        long answersWithSeeds = controlPlane.answers().stream()
                .filter(answer -> SEED.matcher(answer).find())
                .count();
        assertThat(answersWithSeeds).isEqualTo(2);
        String operator = controlPlane.get("/operator").body().toString();
        assertThat(SEED.matcher(operator).find()).isFalse();
    }

    /** Seeds in places where a clumsy caller may put them must not come back in problems or land in logs. */
    private void provokeErrors(String canary) {
        assertThat(controlPlane
                        .post(group("worker") + "/issue", Wishes.issue(id(), "w1", canary))
                        .status())
                .isEqualTo(422);
        assertThat(controlPlane
                        .post("/accounts/" + account + "/revocations", Map.of("user_public_key", canary))
                        .status())
                .isEqualTo(422);
        controlPlane.send("PUT", "/accounts/" + account, "{\"generation\":".getBytes(StandardCharsets.US_ASCII), "x");
    }

    @Test
    void theLogsInTheDatabaseOnlyGrow() throws Exception {
        createAccount();
        controlPlane.post("/accounts/" + account + "/revocations", Map.of("user_public_key", "*", "reason", "x"));
        for (String attack : List.of(
                "update account_service.audit_event set actor = 'nobody'",
                "delete from account_service.audit_event",
                "truncate account_service.audit_event",
                "update account_service.revocation_event set kind = 'LIFTED'",
                "delete from account_service.revocation_event",
                "truncate account_service.revocation_event")) {
            assertThatThrownBy(() -> execute(attack)).as(attack).isInstanceOf(SQLException.class);
        }
    }

    @Test
    void aChangedOrMissingAuditEventIsFound() throws Exception {
        createAccount();
        assertThat(firstBreak()).isEmpty();
        withoutTriggers("update account_service.audit_event set actor = 'nobody' where seq = 2");
        assertThat(firstBreak()).contains("2 was changed");
        withoutTriggers("delete from account_service.audit_event where seq = 2");
        assertThat(firstBreak()).contains("2 is missing");
        // A new chain for the tests that follow.
        withoutTriggers("delete from account_service.audit_event");
    }

    @Test
    void aRowThatPointsToAnotherTenantsKeySignsNothing() throws Exception {
        createAccount();
        String victim = "acc_" + id();
        controlPlane.put("/accounts/" + victim, Wishes.account(1, "victim", "active"));
        String victimKey = controlPlane
                .put("/accounts/" + victim + "/signing-key-groups/worker", Wishes.group("worker", List.of(), List.of()))
                .text("public_key");
        KeyRef own = new KeyRef(account, "worker", 1);
        assertThatThrownBy(() -> vault.signer(own, victimKey).sign(new byte[1])).hasMessageContaining("is not");
        // As if somebody had exchanged the two accounts' groups in the database.
        execute("update account_service.signing_key_group set account_id = '" + victim + "', group_id = 'stolen'"
                + " where account_id = '" + account + "' and group_id = 'worker'");
        Answer refused = controlPlane.post(
                "/accounts/" + victim + "/signing-key-groups/stolen/issue", Wishes.issue(id(), "w1", null));
        assertThat(refused.status()).isEqualTo(500);
        assertThat(refused.text("code")).isEqualTo("internal_error");
        assertThat(refused.body().has("jwt")).isFalse();
    }

    @Test
    void aDatabaseRestoredFromABackupDoesNotForgetRevocations() throws Exception {
        createAccount();
        Answer issued = controlPlane.post(group("worker") + "/issue", Wishes.issue(id(), "w1", null));
        String key = issued.text("user_public_key");
        controlPlane.post("/accounts/" + account + "/revocations", Map.of("user_public_key", key, "reason", "leak"));
        long revision = revision();
        withoutTriggers("delete from account_service.revocation_event where account_id = '" + account + "'");
        assertThat(controlPlane.get("/accounts/" + account).body().path("revocations"))
                .isEmpty();

        assertThat(journal.reconcile()).isPositive();
        assertThat(controlPlane.get("/accounts/" + account).body().path("revocations"))
                .hasSize(1);
        assertThat(controlPlane.get("/issuances/" + issued.text("issuance_id")).text("state"))
                .isEqualTo("revoked");
        assertThat(revision()).isGreaterThan(revision);
        assertThat(journal.reconcile()).isZero();
    }

    @Test
    void aDestroyedKeyIsNotTrustedAgainByAnOlderDatabase() throws Exception {
        createAccount();
        controlPlane.post(group("worker") + "/actions/rotate", Map.of("keep_previous_seconds", 0));
        execute(
                "update account_service.signing_key_version set state = 'RETIRING', retire_at = now() + interval '1 day'"
                        + " where version = 1 and group_pk in (select id from account_service.signing_key_group"
                        + " where account_id = '" + account + "' and group_id = 'worker')");
        controlPlane.put("/accounts/" + account, Wishes.account(2, "acme", "active"));
        String destroyed = controlPlane
                .get(group("worker"))
                .body()
                .path("versions")
                .path(0)
                .path("public_key")
                .asText();
        assertThat(signedClaims()).doesNotContain(destroyed);
    }

    @Test
    void concurrentChangesOfOneAccountEndOnTheLatestWithARisingTime() throws Exception {
        createAccount();
        List<Future<Answer>> running = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            for (int generation = 2; generation < 18; generation++) {
                int number = generation;
                running.add(threads.submit(() -> new TestingControlPlane(TestingEnvironment.statementSecret())
                        .put("/accounts/" + account, Wishes.account(number, "acme " + number, "active"))));
            }
            for (Future<Answer> answer : running) {
                assertThat(answer.get().status()).isIn(200, 409);
            }
        }
        Answer last = controlPlane.get("/accounts/" + account);
        assertThat(last.body().path("desired_generation").asLong()).isEqualTo(17);
        assertThat(last.text("name")).isEqualTo("acme 17");
        assertThat(forks()).isZero();
    }

    @Test
    void twoFirstRequestsForOneAccountMakeOne() throws Exception {
        List<Future<Answer>> running = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            for (int i = 0; i < 4; i++) {
                running.add(threads.submit(() -> new TestingControlPlane(TestingEnvironment.statementSecret())
                        .put("/accounts/" + account, Wishes.account(1, "acme", "active"))));
            }
        }
        List<String> keys = new ArrayList<>();
        List<Integer> statuses = new ArrayList<>();
        for (Future<Answer> answer : running) {
            keys.add(answer.get().text("public_key"));
            statuses.add(answer.get().status());
        }
        assertThat(keys).doesNotContainNull();
        assertThat(keys.stream().distinct()).hasSize(1);
        assertThat(statuses).containsExactlyInAnyOrder(201, 200, 200, 200);
    }

    private void createAccount() {
        assertThat(controlPlane
                        .put("/accounts/" + account, Wishes.account(1, "acme", "active"))
                        .status())
                .isEqualTo(201);
        assertThat(controlPlane
                        .put(group("worker"), Wishes.group("worker", List.of(), List.of()))
                        .status())
                .isEqualTo(200);
    }

    private String signedClaims() throws Exception {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "select jwt from account_service.account where account_id = '" + account + "'")) {
            assertThat(rows.next()).isTrue();
            return JwtDecoder.decodeAccount(rows.getString(1)).signingKeys().toString();
        }
    }

    private long revision() {
        return controlPlane.get("/accounts/" + account).body().path("revision").asLong();
    }

    private String firstBreak() {
        return QuarkusTransaction.requiringNew().call(audit::firstBreak).orElse("");
    }

    /** How many audit events share a predecessor: a chain has none, a fork has some. */
    private long forks() throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "select count(*) - count(distinct previous_hash)" + " from account_service.audit_event")) {
            assertThat(rows.next()).isTrue();
            return rows.getLong(1);
        }
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** What only the owner of the database can do. */
    private void withoutTriggers(String sql) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("set session_replication_role = replica");
            statement.execute(sql);
            statement.execute("set session_replication_role = origin");
        }
    }

    private String dump() throws SQLException {
        StringBuilder dump = new StringBuilder();
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            List<String> tables = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery(
                    "select table_name from information_schema.tables where table_schema = 'account_service'")) {
                while (rows.next()) {
                    tables.add(rows.getString(1));
                }
            }
            assertThat(tables).contains("account", "audit_event", "issuance");
            for (String table : tables) {
                try (ResultSet rows = statement.executeQuery("select t::text from account_service." + table + " t")) {
                    while (rows.next()) {
                        dump.append(rows.getString(1)).append('\n');
                    }
                }
            }
        }
        return dump.toString();
    }

    private static List<Path> files(Path... roots) throws IOException {
        List<Path> files = new ArrayList<>();
        for (Path root : roots) {
            try (Stream<Path> walk = Files.walk(root)) {
                files.addAll(walk.filter(Files::isRegularFile).toList());
            }
        }
        assertThat(files).isNotEmpty();
        return files;
    }

    private String group(String groupId) {
        return "/accounts/" + account + "/signing-key-groups/" + groupId;
    }

    private static String id() {
        return UUID.randomUUID().toString().replace("-", "");
    }
}
