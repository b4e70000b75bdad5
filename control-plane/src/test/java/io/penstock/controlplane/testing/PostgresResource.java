package io.penstock.controlplane.testing;

import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;

/** A real PostgreSQL with the two roles of production, made by the same script. */
public final class PostgresResource implements QuarkusTestResourceLifecycleManager {
    public static final String OWNER = "control_plane_owner";
    public static final String APP = "control_plane_app";
    public static final String PASSWORD = "test-only";

    private static volatile EmbeddedPostgres running;

    @Override
    public Map<String, String> start() {
        try {
            running = EmbeddedPostgres.builder()
                    .setPGStartupWait(Duration.ofMinutes(2))
                    .start();
            try (Connection admin = running.getPostgresDatabase().getConnection();
                    Statement statement = admin.createStatement()) {
                statement.execute(roles());
            }
            return Map.of(
                    "quarkus.datasource.jdbc.url", url(),
                    "quarkus.datasource.username", APP,
                    "quarkus.datasource.password", PASSWORD,
                    "quarkus.flyway.username", OWNER,
                    "quarkus.flyway.password", PASSWORD);
        } catch (IOException | SQLException failed) {
            throw new IllegalStateException("the test database does not start", failed);
        }
    }

    /** A connection as `role`, outside of the application's pool. */
    public static Connection connect(String role) throws SQLException {
        return java.sql.DriverManager.getConnection(url() + "?currentSchema=control_plane", role, PASSWORD);
    }

    /** Every row of every table as text, as a dump has them: read by the superuser, whom no policy binds. */
    public static String dump() throws SQLException {
        StringBuilder out = new StringBuilder();
        try (Connection admin = running.getPostgresDatabase().getConnection();
                Statement tables = admin.createStatement();
                ResultSet names =
                        tables.executeQuery("select tablename from pg_tables where schemaname = 'control_plane'")) {
            while (names.next()) {
                String table = names.getString(1);
                try (Statement rows = admin.createStatement();
                        ResultSet row = rows.executeQuery("select t::text from control_plane." + table + " t")) {
                    while (row.next()) {
                        out.append(table).append(' ').append(row.getString(1)).append('\n');
                    }
                }
            }
        }
        return out.toString();
    }

    /** Changes what no call can change, such as a time that is to be over: as the superuser. Returns the rows changed. */
    public static int force(String change) throws SQLException {
        try (Connection admin = running.getPostgresDatabase().getConnection();
                Statement statement = admin.createStatement()) {
            statement.execute("set search_path = control_plane");
            return statement.executeUpdate(change);
        }
    }

    private static String url() {
        return "jdbc:postgresql://127.0.0.1:" + running.getPort() + "/postgres";
    }

    /** The script that makes the roles, with the passwords of the tests. */
    public static String roles() {
        try (InputStream in = PostgresResource.class.getResourceAsStream("/sql/roles.sql")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .replace(":'owner_password'", "'" + PASSWORD + "'")
                    .replace(":'app_password'", "'" + PASSWORD + "'");
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    @Override
    public void stop() {
        try {
            running.close();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
