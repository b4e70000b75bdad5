package io.penstock.localstack.service;

import io.penstock.localstack.Stack;
import io.penstock.localstack.StackException;
import io.penstock.localstack.StackHome;
import io.penstock.localstack.process.Detached;
import io.penstock.localstack.process.ProcessSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The database, from the binaries that come as a Maven artifact; durable as in production (fsync is on). */
public final class Postgres implements Service {
    private static final String SUPERUSER = "postgres";

    /**
     * What control-plane/src/main/sql/roles.sql asks for: the owner migrates, the application works under row-level
     * security with limits on what a statement may take.
     */
    private static final List<String> CONTROL_PLANE = List.of(
            "create schema if not exists control_plane authorization control_plane_owner",
            "alter role control_plane_owner set search_path = control_plane",
            "alter role control_plane_app set search_path = control_plane",
            "alter role control_plane_app set statement_timeout = '10s'",
            "alter role control_plane_app set lock_timeout = '5s'",
            "alter role control_plane_app set idle_in_transaction_session_timeout = '15s'");

    private final Stack stack;

    public Postgres(Stack stack) {
        this.stack = stack;
    }

    @Override
    public String name() {
        return "postgres";
    }

    @Override
    public void prepare() {
        Path binaries = PostgresBinaries.unpack(stack.home().cache());
        Path data = stack.home().data("postgres").resolve("cluster");
        if (!Files.exists(data.resolve("PG_VERSION"))) {
            initialise(binaries, data);
        }
    }

    private void initialise(Path binaries, Path data) {
        try {
            Path password = Files.createFile(
                    stack.home().data("postgres").resolve("superuser-password"),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(password, stack.secrets().postgresSuperuser());
            List<String> command = asNonRoot();
            command.addAll(List.of(
                    binaries.resolve("bin/initdb").toString(),
                    "-D",
                    data.toString(),
                    "-U",
                    SUPERUSER,
                    "-A",
                    "scram-sha-256",
                    "--pwfile",
                    password.toString(),
                    "-E",
                    "UTF8",
                    "--no-locale"));
            Detached.run(
                    new ProcessSpec(command, data.getParent(), Map.of()),
                    stack.home().log(name()));
            Files.delete(password);
        } catch (IOException e) {
            throw new StackException("the database folder cannot be made: " + e.getMessage(), e);
        }
    }

    /** PostgreSQL refuses to run as root; in a user namespace of its own root is nobody. */
    private static List<String> asNonRoot() {
        List<String> command = new ArrayList<>();
        if ("root".equals(System.getProperty("user.name"))) {
            command.addAll(List.of("unshare", "-U"));
        }
        return command;
    }

    @Override
    public ProcessSpec process() {
        Path binaries = PostgresBinaries.unpack(stack.home().cache());
        Path folder = stack.home().data("postgres");
        List<String> command = asNonRoot();
        command.addAll(List.of(
                binaries.resolve("bin/postgres").toString(),
                "-D",
                folder.resolve("cluster").toString(),
                "-p",
                Integer.toString(stack.ports().postgres()),
                "-c",
                "listen_addresses=127.0.0.1",
                "-c",
                "unix_socket_directories=",
                "-c",
                "max_connections=120",
                "-c",
                "shared_buffers=64MB"));
        return new ProcessSpec(command, StackHome.create(folder), Map.of());
    }

    @Override
    public boolean ready() {
        try (Connection connection = connect("postgres")) {
            return connection.isValid(2);
        } catch (SQLException e) {
            return false;
        }
    }

    @Override
    public void afterStart() {
        try (Connection connection = connect("postgres")) {
            role(connection, "keycloak", stack.secrets().keycloakDatabase());
            role(connection, "account_service", stack.secrets().accountDatabase());
            role(connection, "control_plane_owner", stack.secrets().controlOwnerDatabase());
            role(connection, "control_plane_app", stack.secrets().controlAppDatabase());
            database(connection, "keycloak", "keycloak");
            database(connection, "account_service", "account_service");
            database(connection, "control_plane", "control_plane_owner");
        } catch (SQLException e) {
            throw new StackException("roles and databases cannot be made: " + e.getMessage(), e);
        }
        try (Connection connection = connect("control_plane")) {
            for (String command : CONTROL_PLANE) {
                execute(connection, command);
            }
        } catch (SQLException e) {
            throw new StackException("the control plane's schema cannot be made: " + e.getMessage(), e);
        }
    }

    private Connection connect(String database) throws SQLException {
        return DriverManager.getConnection(
                "jdbc:postgresql://127.0.0.1:" + stack.ports().postgres() + "/" + database
                        + "?connectTimeout=2&socketTimeout=10",
                SUPERUSER,
                stack.secrets().postgresSuperuser());
    }

    private static void role(Connection connection, String name, String password) throws SQLException {
        if (!exists(connection, "select 1 from pg_roles where rolname = ?", name)) {
            execute(connection, "create role " + name + " login password '" + password + "'");
        }
    }

    private static void database(Connection connection, String name, String owner) throws SQLException {
        if (!exists(connection, "select 1 from pg_database where datname = ?", name)) {
            execute(connection, "create database " + name + " owner " + owner);
        }
    }

    private static boolean exists(Connection connection, String query, String name) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(query)) {
            statement.setString(1, name);
            try (ResultSet result = statement.executeQuery()) {
                return result.next();
            }
        }
    }

    private static void execute(Connection connection, String command) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(command);
        }
    }

    @Override
    public Duration stopLimit() {
        return Duration.ofSeconds(30);
    }
}
