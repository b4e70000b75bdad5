package io.penstock.localstack;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.localstack.process.Detached;
import io.penstock.localstack.service.Postgres;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PostgresTest {
    @TempDir
    Path folder;

    @Test
    void startsDurableAndWithOneDatabaseAService() throws Exception {
        StackHome home = StackHome.at(folder);
        Stack stack = new Stack(folder, home, Ports.random(1), Secrets.loadOrCreate(home.secrets()));
        Postgres postgres = new Postgres(stack);
        postgres.prepare();
        Process process = Detached.start(postgres.process(), home.log("postgres"));
        try {
            long deadline = System.nanoTime() + postgres.startLimit().toNanos();
            while (!postgres.ready()) {
                assertThat(process.isAlive()).as("see %s", home.log("postgres")).isTrue();
                assertThat(System.nanoTime()).isLessThan(deadline);
                LockSupport.parkNanos(50_000_000);
            }
            postgres.afterStart();
            postgres.afterStart();

            assertThat(setting(stack, "fsync")).isEqualTo("on");
            assertThat(setting(stack, "synchronous_commit")).isEqualTo("on");
        } finally {
            process.destroy();
            assertThat(process.waitFor()).isZero();
        }
    }

    private static String setting(Stack stack, String name) throws Exception {
        try (Connection connection = DriverManager.getConnection(
                        "jdbc:postgresql://127.0.0.1:" + stack.ports().postgres() + "/control_plane",
                        "control_plane_app",
                        stack.secrets().controlAppDatabase());
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("show " + name)) {
            result.next();
            return result.getString(1);
        }
    }
}
