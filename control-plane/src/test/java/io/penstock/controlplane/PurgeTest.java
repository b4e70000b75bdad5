package io.penstock.controlplane;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.controlplane.testing.ApiClient.Answer;
import io.penstock.controlplane.testing.Await;
import io.penstock.controlplane.testing.PostgresResource;
import io.penstock.controlplane.testing.QuickProfile;
import io.penstock.controlplane.testing.ResourceSeeds;
import io.penstock.controlplane.testing.Tenant;
import io.penstock.controlplane.testing.TestingAccountService;
import io.penstock.controlplane.testing.TestingBroker;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is left when the time to restore is over. */
@QuarkusTest
@TestProfile(QuickProfile.class)
class PurgeTest extends ApiTest {
    private final TestingBroker broker = bean(TestingBroker.class);

    @Test
    void deletedAccountIsRemovedWithEverythingInIt() throws SQLException {
        Tenant tenant = Tenant.signedUp(base, "purge");
        Map<String, String> ids = new HashMap<>();
        ids.put(
                "user",
                tenant.api()
                        .post(tenant.accountPath() + "/users", Map.of("name", "u"))
                        .text("id"));
        ResourceSeeds.add(tenant, broker, ids);
        tenant.api().post(tenant.accountPath() + "/streams", Map.of("name", "S", "subjects", List.of("s")));
        broker.publish(tenant.account(), "s", "one");
        tenant.api().delete(tenant.accountPath() + "/streams/S", "If-Match", "*");
        assertThat(tenant.api().delete(tenant.accountPath(), "If-Match", "*").status())
                .isEqualTo(202);

        execute(
                tenant,
                "update account set purge_at = now() - interval '1 second' where id = '" + tenant.account() + "'",
                "update due_task set due_at = now() where kind = 'account.purge' and ref = '" + tenant.account() + "'");
        Await.until(
                Duration.ofSeconds(60),
                () -> tenant.api().get(tenant.accountPath()).status() == 404 ? tenant : null);

        assertThat(bean(TestingAccountService.class).account(tenant.account())).isNull();
        for (String table :
                List.of("issuance", "broker_user", "signing_key_group", "account_import", "stream_record")) {
            assertThat(count(tenant, table)).as(table).isZero();
        }
        assertThat(tenant.api().get("/v1/users/" + ids.get("user")).status()).isEqualTo(404);
        assertThat(tenant.api().get("/v1/exports/" + ids.get("export")).status())
                .as("the other account stays")
                .isEqualTo(200);
        assertThat(tenant.api()
                        .post(tenant.accountPath() + "/actions/restore", Map.of())
                        .status())
                .isEqualTo(404);
    }

    @Test
    void deletedStreamIsRemovedButNotAnotherOneThatTookItsName() throws SQLException {
        Tenant tenant = Tenant.signedUp(base, "purge-stream");
        String path = tenant.accountPath() + "/streams/S";
        Answer made =
                tenant.api().post(tenant.accountPath() + "/streams", Map.of("name", "S", "subjects", List.of("s")));
        broker.publish(tenant.account(), "s", "one");
        tenant.api().delete(path, "If-Match", made.header("ETag"));
        String ofIt = " where account_id = '" + tenant.account() + "'";
        execute(tenant, "update stream_record set created = 'another one'" + ofIt);
        assertThat(tenant.api().get(path).status()).as("made anew by a client").isEqualTo(200);
        due(tenant, ofIt);
        assertThat(tenant.api().get(path).status()).isEqualTo(200);

        tenant.api().delete(path, "If-Match", tenant.api().get(path).header("ETag"));
        assertThat(tenant.api().get(path).status()).isEqualTo(410);
        due(tenant, ofIt);
        assertThat(tenant.api().get(path).status()).isEqualTo(404);
    }

    private static void due(Tenant tenant, String ofIt) throws SQLException {
        execute(
                tenant,
                "update stream_record set purge_at = now() - interval '1 second'" + ofIt,
                "update due_task set due_at = now()" + ofIt);
        Await.until(Duration.ofSeconds(60), () -> count(tenant, "due_task") == 0 ? tenant : null);
    }

    private static void execute(Tenant tenant, String... statements) throws SQLException {
        try (Connection app = PostgresResource.connect(PostgresResource.APP);
                Statement statement = app.createStatement()) {
            app.setAutoCommit(false);
            statement.execute("select set_config('app.org_id', '" + tenant.org() + "', true)");
            for (String one : statements) {
                assertThat(statement.executeUpdate(one)).as(one).isPositive();
            }
            app.commit();
        }
    }

    private static long count(Tenant tenant, String table) {
        try (Connection app = PostgresResource.connect(PostgresResource.APP);
                Statement statement = app.createStatement()) {
            app.setAutoCommit(false);
            statement.execute("select set_config('app.org_id', '" + tenant.org() + "', true)");
            try (ResultSet rows = statement.executeQuery(
                    "select count(*) from " + table + " where account_id = '" + tenant.account() + "'")) {
                rows.next();
                return rows.getLong(1);
            }
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }
}
