package io.penstock.controlplane.testing;

import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A real account-service process with a database of its own, and a real node in operator mode: the one built here when there is
 * one, else a nats-server from PATH. `penstock.test.node` names another executable.
 */
public final class RealBrokerResource implements QuarkusTestResourceLifecycleManager {
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private static volatile int nodePort;
    private static volatile Path node;

    private EmbeddedPostgres database;
    private Process accountService;
    private Process broker;

    public static String nodeUrl() {
        return "nats://127.0.0.1:" + nodePort;
    }

    public static Path node() {
        return node;
    }

    @Override
    public Map<String, String> start() {
        try {
            Path folder = Files.createTempDirectory("penstock-real");
            int servicePort = freePort();
            nodePort = freePort();
            node = executable();
            database = EmbeddedPostgres.builder()
                    .setPGStartupWait(Duration.ofMinutes(2))
                    .start();
            accountService = startAccountService(folder, servicePort);
            Await.until(PATIENCE, () -> Files.exists(folder.resolve("bootstrap/operator.conf")) ? folder : null);
            Await.until(PATIENCE, () -> listens(servicePort) ? folder : null);
            broker = startNode(folder);
            Await.until(PATIENCE, () -> listens(nodePort) ? folder : null);
            return Map.of(
                    "penstock.account-service.url", "http://127.0.0.1:" + servicePort,
                    "penstock.broker.urls", nodeUrl(),
                    "penstock.client-urls", nodeUrl());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private Process startAccountService(Path folder, int port) throws IOException {
        Path jar = Path.of("../account-service/service/target/quarkus-app/quarkus-run.jar");
        if (!Files.exists(jar)) {
            throw new IOException("account-service is not built: " + jar);
        }
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin/java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Xmx192m",
                        "-jar",
                        jar.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("account-service.log").toFile());
        Map<String, String> variables = new HashMap<>();
        variables.put("QUARKUS_HTTP_PORT", Integer.toString(port));
        variables.put("QUARKUS_DATASOURCE_JDBC_URL", "jdbc:postgresql://127.0.0.1:" + database.getPort() + "/postgres");
        variables.put("QUARKUS_DATASOURCE_USERNAME", "postgres");
        variables.put("QUARKUS_DATASOURCE_PASSWORD", "postgres");
        variables.put("PENSTOCK_STATEMENT_SECRET", QuickProfile.SECRET);
        variables.put("PENSTOCK_KEYSTORE_DIR", folder.resolve("keystore").toString());
        variables.put("PENSTOCK_KEYSTORE_KEK_FILE", folder.resolve("kek").toString());
        variables.put("PENSTOCK_BOOTSTRAP_DIR", folder.resolve("bootstrap").toString());
        variables.put("PENSTOCK_BROKER_URLS", nodeUrl());
        variables.put("PENSTOCK_BROKER_RECONNECT_WAIT", "200ms");
        builder.environment().putAll(variables);
        return builder.start();
    }

    private static Process startNode(Path folder) throws IOException {
        Path config = folder.resolve("node.conf");
        Files.writeString(config, """
                listen: "127.0.0.1:%d"
                include "bootstrap/operator.conf"
                resolver { type: full, dir: "%s", allow_delete: true }
                jetstream { store_dir: "%s", max_file_store: 1TB, max_memory_store: 64GB }
                """.formatted(nodePort, folder.resolve("jwt"), folder.resolve("js")));
        return new ProcessBuilder(node.toString(), "-c", config.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("node.log").toFile())
                .start();
    }

    private static Path executable() throws IOException {
        String given = System.getProperty("penstock.test.node", "");
        List<Path> choices = given.isEmpty()
                ? List.of(
                        Path.of("../data-plane/server/target/dist/nats-server")
                                .toAbsolutePath()
                                .normalize(),
                        Path.of(System.getProperty("user.home"), "go/bin/nats-server"),
                        Path.of("/usr/local/bin/nats-server"))
                : List.of(Path.of(given));
        return choices.stream()
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new IOException("no node to test with: " + choices));
    }

    private static boolean listens(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException notYet) {
            return false;
        }
    }

    private static int freePort() throws IOException {
        for (int port = 21_000 + (int) (System.nanoTime() % 9_000); port < 32_000; port++) {
            try (ServerSocket socket = new ServerSocket(port)) {
                return socket.getLocalPort();
            } catch (IOException taken) {
                // The next port may be free.
            }
        }
        throw new IOException("no free port");
    }

    @Override
    public void stop() {
        for (Process process : new Process[] {broker, accountService}) {
            if (process != null) {
                process.descendants().forEach(ProcessHandle::destroy);
                process.destroy();
                try {
                    process.waitFor(10, TimeUnit.SECONDS);
                } catch (InterruptedException interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }
        try {
            if (database != null) {
                database.close();
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
