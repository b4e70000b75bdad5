package io.penstock.accountservice;

import io.penstock.claims.TestingNatsServer;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/** A PostgreSQL, empty folders and a free port for the node: everything the service needs, nothing outside. */
public final class TestingEnvironment implements QuarkusTestResourceLifecycleManager {
    /** Set before the application starts, read by tests of the same JVM. */
    private static Path folder;

    private static int nodePort;
    private static byte[] statementSecret;

    private EmbeddedPostgres postgres;

    static Path bootstrapDir() {
        return folder.resolve("bootstrap");
    }

    static Path keystoreDir() {
        return folder.resolve("keystore");
    }

    static Path kekFile() {
        return folder.resolve("kek");
    }

    static Path folder() {
        return folder;
    }

    static int nodePort() {
        return nodePort;
    }

    static byte[] statementSecret() {
        return statementSecret.clone();
    }

    @Override
    public Map<String, String> start() {
        try {
            folder = Files.createTempDirectory("account-service-test");
            nodePort = TestingNatsServer.freePort();
            statementSecret = new byte[32];
            new SecureRandom().nextBytes(statementSecret);
            postgres = EmbeddedPostgres.builder()
                    .setPGStartupWait(Duration.ofMinutes(2))
                    .setServerConfig("shared_buffers", "16MB")
                    .setServerConfig("max_connections", "40")
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Map<String, String> config = new LinkedHashMap<>();
        config.put("quarkus.datasource.jdbc.url", postgres.getJdbcUrl("postgres", "postgres"));
        config.put("quarkus.datasource.username", "postgres");
        config.put("quarkus.datasource.password", "postgres");
        config.put("penstock.statement.secret", Base64.getEncoder().encodeToString(statementSecret));
        config.put("penstock.keystore.dir", keystoreDir().toString());
        config.put("penstock.keystore.kek-file", kekFile().toString());
        config.put("penstock.bootstrap.dir", bootstrapDir().toString());
        config.put("penstock.broker.urls", "nats://127.0.0.1:" + nodePort);
        config.put("penstock.broker.reconnect-wait", "200ms");
        config.put("penstock.sync.reconcile-interval", "2s");
        config.put("penstock.sync.retry-pause", "200ms");
        config.put("penstock.issue.per-account-per-minute", "30");
        config.put("quarkus.log.file.enabled", "true");
        config.put("quarkus.log.file.path", folder.resolve("service.log").toString());
        config.put("quarkus.log.category.\"io.penstock\".level", "DEBUG");
        return config;
    }

    @Override
    public void stop() {
        try {
            if (postgres != null) {
                postgres.close();
            }
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(file);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
