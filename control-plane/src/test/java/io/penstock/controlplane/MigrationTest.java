package io.penstock.controlplane;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.controlplane.testing.PostgresResource;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.junit.jupiter.api.Test;

/** A database of the first version with a tenant in it, brought to the present one. */
class MigrationTest {
    private static final List<String> TENANT = List.of(
            "insert into organization values ('org_1', 'o', 'active', 0, now(), now())",
            "insert into app_user values ('usrp_1', 'sub', 'a@b.test', 'a', now(), now())",
            "insert into membership values ('org_1', 'usrp_1', 'owner', now())",
            "insert into project (id, org_id, name, version, created_at, updated_at) values ('proj_1', 'org_1', 'p', 0, now(), now())",
            "insert into account (id, org_id, project_id, name, public_key, state, limits, desired_generation, observed_generation,"
                    + " sync_state, sync_since, version, created_at, updated_at) values ('acct_1', 'org_1', 'proj_1', 'a', 'A',"
                    + " 'active', '{}', 3, 3, 'synced', now(), 0, now(), now())",
            "insert into signing_key_group (id, org_id, account_id, name, description, template, desired_generation,"
                    + " observed_generation, sync_state, sync_since, version, created_at, updated_at) values"
                    + " ('skg_1', 'org_1', 'acct_1', 'default', '', '{}', 1, 1, 'synced', now(), 0, now(), now())",
            "insert into broker_user (id, org_id, account_id, group_id, name, state, version, created_at, updated_at) values"
                    + " ('usr_1', 'org_1', 'acct_1', 'skg_1', 'app', 'active', 0, now(), now())",
            "insert into issuance (id, org_id, account_id, user_id, user_name, group_id, state, channel, issued_by, issued_at)"
                    + " values ('iss_1', 'org_1', 'acct_1', 'usr_1', 'app', 'skg_1', 'issued', 'console', 'a', now())",
            "insert into resource_locator (id, org_id) values ('proj_1', 'org_1'), ('acct_1', 'org_1'), ('skg_1', 'org_1'),"
                    + " ('usr_1', 'org_1')");

    @Test
    void tenantOfTheFirstVersionKeepsEverythingAndIsSentToTheBrokerAgain() throws Exception {
        try (EmbeddedPostgres database = EmbeddedPostgres.builder()
                        .setPGStartupWait(Duration.ofMinutes(2))
                        .start();
                Connection admin = database.getPostgresDatabase().getConnection();
                Statement statement = admin.createStatement()) {
            statement.execute(PostgresResource.roles());
            String url = database.getJdbcUrl(PostgresResource.OWNER, "postgres");
            flyway(url).target("1").load().migrate();
            statement.execute("set search_path = control_plane");
            for (String row : TENANT) {
                statement.execute(row);
            }

            flyway(url).load().migrate();

            assertThat(one(statement, "select desired_generation || sync_state from account"))
                    .isEqualTo("4syncing");
            assertThat(one(statement, "select account_id from sync_task")).isEqualTo("acct_1");
            assertThat(one(statement, "select project_id from resource_locator where id = 'iss_1'"))
                    .isEqualTo("proj_1");
            assertThat(one(statement, "select environment from project")).isEqualTo("development");
            assertThat(one(statement, "select disabled::text from broker_user")).isEqualTo("false");
            assertThat(one(
                            statement,
                            "select count(*)::text from pg_class c join pg_namespace n on n.oid = c.relnamespace"
                                    + " where n.nspname = 'control_plane' and relname in ('account', 'issuance', 'sync_task',"
                                    + " 'resource_locator') and relforcerowsecurity"))
                    .isEqualTo("4");
        }
    }

    private static FluentConfiguration flyway(String url) {
        return Flyway.configure()
                .dataSource(url, PostgresResource.OWNER, PostgresResource.PASSWORD)
                .schemas("control_plane")
                .createSchemas(false)
                .outOfOrder(true)
                .placeholders(Map.of("app_role", PostgresResource.APP))
                .locations("classpath:db/migration");
    }

    private static String one(Statement statement, String query) throws SQLException {
        try (ResultSet rows = statement.executeQuery(query)) {
            assertThat(rows.next()).isTrue();
            return rows.getString(1);
        }
    }
}
