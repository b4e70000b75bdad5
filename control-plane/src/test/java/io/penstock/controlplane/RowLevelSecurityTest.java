package io.penstock.controlplane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.controlplane.testing.PostgresResource;
import io.penstock.controlplane.testing.QuickProfile;
import io.penstock.controlplane.testing.Tenant;
import io.penstock.controlplane.web.Etags;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The database keeps tenants apart whatever the application asks: raw SQL as the application's role. */
@QuarkusTest
@TestProfile(QuickProfile.class)
class RowLevelSecurityTest extends ApiTest {
    /** Before sign-in there is no tenant; these are found by unguessable keys alone. The last is Flyway's. */
    private static final Set<String> WITHOUT_TENANT = Set.of("signup", "login_session", "flyway_schema_history");

    private static final List<String> WITH_ORG = List.of(
            "project",
            "account",
            "signing_key_group",
            "broker_user",
            "issuance",
            "audit_event",
            "membership",
            "resource_locator",
            "role_assignment",
            "service_account",
            "api_token",
            "api_token_secret",
            "invitation");

    @Test
    void everyTableButTheListedForcesRowLevelSecurity() throws SQLException {
        List<String> open = new ArrayList<>();
        try (Connection owner = PostgresResource.connect(PostgresResource.OWNER);
                ResultSet rows = owner.createStatement()
                        .executeQuery("select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace"
                                + " where n.nspname = 'control_plane' and c.relkind = 'r'"
                                + " and not (c.relrowsecurity and c.relforcerowsecurity"
                                + " and exists (select from pg_policy p where p.polrelid = c.oid))")) {
            while (rows.next()) {
                open.add(rows.getString(1));
            }
        }
        assertThat(open).containsExactlyInAnyOrderElementsOf(WITHOUT_TENANT);
    }

    @Test
    void everyPolicyOfTenantTablesChecksWritesToo() throws SQLException {
        try (Connection owner = PostgresResource.connect(PostgresResource.OWNER);
                ResultSet rows = owner.createStatement()
                        .executeQuery("select polname, polcmd, polwithcheck is not null from pg_policy")) {
            while (rows.next()) {
                // Policies for select and delete have no row to check.
                boolean writesNothing = Set.of("r", "d").contains(rows.getString(2));
                assertThat(writesNothing || rows.getBoolean(3))
                        .as(rows.getString(1))
                        .isTrue();
            }
        }
    }

    @Test
    void applicationRoleIsBoundAndOwnsNothing() throws SQLException {
        try (Connection app = PostgresResource.connect(PostgresResource.APP);
                ResultSet role = app.createStatement()
                        .executeQuery(
                                "select rolsuper, rolbypassrls, rolcreaterole from pg_roles where rolname = current_user")) {
            assertThat(role.next()).isTrue();
            assertThat(role.getBoolean(1) || role.getBoolean(2) || role.getBoolean(3))
                    .isFalse();
            ResultSet owned = app.createStatement()
                    .executeQuery("select count(*) from pg_class where relowner = current_user::regrole");
            assertThat(owned.next()).isTrue();
            assertThat(owned.getLong(1)).isZero();
        }
    }

    @Test
    void withoutContextNothingIsSeenAndNothingIsWritten() throws SQLException {
        Tenant tenant = withRows("unset");
        try (Connection app = PostgresResource.connect(PostgresResource.APP);
                Statement statement = app.createStatement()) {
            for (String table : WITH_ORG) {
                assertThat(count(statement, table, "true")).as(table).isZero();
            }
            assertThat(statement.executeUpdate("update account set name = 'stolen'"))
                    .isZero();
            assertThatThrownBy(() -> statement.executeUpdate(
                            "insert into resource_locator (id, org_id) values ('x', '" + tenant.org() + "')"))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("row-level security");
        }
    }

    @Test
    void contextOfOneTenantShowsAndTouchesNothingOfAnother() throws SQLException {
        Tenant one = withRows("one");
        Tenant two = withRows("two");
        try (Connection app = PostgresResource.connect(PostgresResource.APP);
                Statement statement = app.createStatement()) {
            app.setAutoCommit(false);
            statement.execute("select set_config('app.org_id', '" + one.org() + "', true)");
            for (String table : WITH_ORG) {
                assertThat(count(statement, table, "org_id = '" + one.org() + "'"))
                        .as(table)
                        .isPositive();
                assertThat(count(statement, table, "org_id <> '" + one.org() + "'"))
                        .as(table)
                        .isZero();
            }
            assertThat(statement.executeUpdate("update account set name = 'x' where id = '" + two.account() + "'"))
                    .isZero();
            assertThat(statement.executeUpdate("delete from broker_user where org_id = '" + two.org() + "'"))
                    .isZero();
            refused(
                    app,
                    statement,
                    "update project set org_id = '" + two.org() + "' where org_id = '" + one.org() + "'");
            app.commit();
            assertThat(count(statement, "account", "true"))
                    .as("the context ends with its transaction")
                    .isZero();
            app.rollback();
        }
    }

    @Test
    void presentedSecretOpensItsOwnRowsAndNothingElse() throws SQLException {
        Tenant tenant = withRows("secret");
        String hash = HexFormat.of()
                .formatHex(Etags.sha256(tenant.token("viewer", "*").getBytes(StandardCharsets.UTF_8)));
        try (Connection app = PostgresResource.connect(PostgresResource.APP);
                Statement statement = app.createStatement()) {
            app.setAutoCommit(false);
            statement.execute("select set_config('app.secret_hash', '" + hash + "', true)");
            for (String table : WITH_ORG) {
                assertThat(count(statement, table, "true"))
                        .as(table)
                        .isEqualTo("api_token_secret".equals(table) ? 1 : 0);
            }
            app.rollback();
        }
    }

    @Test
    void auditEventsCanOnlyBeAdded() throws SQLException {
        Tenant tenant = withRows("audit");
        try (Connection app = PostgresResource.connect(PostgresResource.APP);
                Statement statement = app.createStatement()) {
            app.setAutoCommit(false);
            for (String change :
                    List.of("update audit_event set action = 'x'", "delete from audit_event", "truncate audit_event")) {
                statement.execute("select set_config('app.org_id', '" + tenant.org() + "', true)");
                assertThatThrownBy(() -> statement.execute(change)).hasMessageContaining("permission denied");
                app.rollback();
            }
        }
    }

    @Test
    void workerContextOpensTheQueuesAndNothingElse() throws SQLException {
        withRows("worker");
        try (Connection app = PostgresResource.connect(PostgresResource.APP);
                Statement statement = app.createStatement()) {
            app.setAutoCommit(false);
            statement.execute("select set_config('app.worker', 'on', true)");
            for (String table : WITH_ORG) {
                assertThat(count(statement, table, "true")).as(table).isZero();
            }
            assertThat(count(statement, "bootstrap", "true")).isPositive();
            app.rollback();
        }
    }

    private static void refused(Connection app, Statement statement, String change) throws SQLException {
        java.sql.Savepoint before = app.setSavepoint();
        assertThatThrownBy(() -> statement.executeUpdate(change)).isInstanceOf(SQLException.class);
        app.rollback(before);
    }

    private static long count(Statement statement, String table, String where) throws SQLException {
        try (ResultSet rows = statement.executeQuery("select count(*) from " + table + " where " + where)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    private Tenant withRows(String name) {
        Tenant tenant = Tenant.signedUp(base, name);
        tenant.api().post(tenant.accountPath() + "/credentials", Map.of("name", "app"), "Idempotency-Key", "k");
        tenant.token("viewer", "*");
        tenant.api()
                .post("/v1/orgs/" + tenant.org() + "/invitations", Map.of("email", "g@members.test", "role", "viewer"));
        return tenant;
    }
}
