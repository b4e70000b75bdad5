package io.penstock.controlplane.testing;

import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/**
 * A real Keycloak with our realm and theme, from the distribution that the build put into `target/keycloak`. With the system
 * property `penstock.test.keycloak` (a URL) one that runs already is taken, made for the public port 18080.
 */
public final class KeycloakResource implements QuarkusTestResourceLifecycleManager {
    private static final String CONSOLE_SECRET = "consolesecretconsolesecret";
    private static final String CONTROL_PLANE_SECRET = "cpsecretcpsecretcpsecret";
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private static final int FIRST_PORT = 20_000;
    private static final AtomicInteger NEXT_PORT =
            new AtomicInteger((int) (ProcessHandle.current().pid() * 7 % 12_000));

    private Path home;
    private Process process;

    @Override
    public Map<String, String> start() {
        String given = System.getProperty("penstock.test.keycloak", "");
        int publicPort = given.isEmpty() ? freePort() : 18080;
        String url = given.isEmpty() ? launch(publicPort) : given;
        return Map.of(
                "quarkus.http.test-port",
                Integer.toString(publicPort),
                "penstock.public-url",
                "http://127.0.0.1:" + publicPort,
                "quarkus.oidc.auth-server-url",
                url + "/realms/penstock",
                "quarkus.oidc.credentials.secret",
                CONSOLE_SECRET,
                "quarkus.keycloak.admin-client.server-url",
                url,
                "quarkus.keycloak.admin-client.client-secret",
                CONTROL_PLANE_SECRET);
    }

    private String launch(int publicPort) {
        try {
            home = unpacked();
            Path sources = Path.of("src/main/keycloak");
            Files.createDirectories(home.resolve("data/import"));
            Files.copy(sources.resolve("penstock-realm.json"), home.resolve("data/import/penstock-realm.json"));
            copy(sources.resolve("theme/penstock"), home.resolve("themes/penstock"));
            run(publicPort, "build", "--db=dev-file", "--health-enabled=true").waitFor(5, TimeUnit.MINUTES);
            int port = freePort();
            int management = freePort();
            String url = "http://127.0.0.1:" + port;
            process = run(
                    publicPort,
                    "start",
                    "--optimized",
                    "--import-realm",
                    "--http-enabled=true",
                    "--http-host=127.0.0.1",
                    "--http-port=" + port,
                    "--http-management-port=" + management,
                    "--hostname=" + url,
                    "--cache=local");
            URI ready = URI.create("http://127.0.0.1:" + management + "/health/ready");
            Await.until(PATIENCE, () -> isUp(ready) ? ready : null);
            return url;
        } catch (IOException failed) {
            throw new UncheckedIOException("Keycloak does not start", failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    private Process run(int publicPort, String... arguments) throws IOException {
        List<String> command = Stream.concat(
                        Stream.of("bash", home.resolve("bin/kc.sh").toString()), Stream.of(arguments))
                .toList();
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(home.resolve(arguments[0] + ".log").toFile());
        builder.environment()
                .putAll(Map.of(
                        "PENSTOCK_PUBLIC_URL",
                        "http://127.0.0.1:" + publicPort,
                        "PENSTOCK_CONSOLE_CLIENT_SECRET",
                        CONSOLE_SECRET,
                        "PENSTOCK_CONTROL_PLANE_CLIENT_SECRET",
                        CONTROL_PLANE_SECRET,
                        "JAVA_HOME",
                        System.getProperty("java.home"),
                        "JAVA_OPTS",
                        "-Xms64m -Xmx384m -XX:+UseSerialGC -XX:MaxMetaspaceSize=256m -XX:TieredStopAtLevel=1"));
        return builder.start();
    }

    private static Path unpacked() throws IOException {
        Path target = Files.createTempDirectory("penstock-keycloak");
        Path zip;
        try (Stream<Path> found = Files.list(Path.of("target/keycloak"))) {
            zip = found.filter(path -> path.toString().endsWith(".zip"))
                    .findFirst()
                    .orElseThrow(() -> new IOException("target/keycloak holds no distribution"));
        }
        try (ZipInputStream in = new ZipInputStream(Files.newInputStream(zip))) {
            for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                String name = entry.getName().replaceFirst("^[^/]+/", "");
                Path file = target.resolve(name).normalize();
                if (entry.isDirectory() || !file.startsWith(target)) {
                    continue;
                }
                Files.createDirectories(file.getParent());
                Files.copy(in, file);
            }
        }
        return target;
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path target = to.resolve(from.relativize(file).toString());
                Files.createDirectories(target.getParent());
                Files.copy(file, target);
            }
        }
    }

    private static boolean isUp(URI ready) {
        try (HttpClient http = HttpClient.newHttpClient()) {
            HttpRequest request = HttpRequest.newBuilder(ready)
                    .timeout(Duration.ofSeconds(30))
                    .build();
            return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException notYet) {
            return false;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Below the range of outgoing connections, and never the same twice: a port that was only looked at is free again. */
    private static int freePort() {
        for (int tries = 0; tries < 12_000; tries++) {
            int port = FIRST_PORT + NEXT_PORT.getAndIncrement() % 12_000;
            try (ServerSocket socket = new ServerSocket(port)) {
                return socket.getLocalPort();
            } catch (IOException taken) {
                // The next port may be free.
            }
        }
        throw new IllegalStateException("no free port from " + FIRST_PORT + " to " + (FIRST_PORT + 12_000));
    }

    @Override
    public void stop() {
        if (process == null) {
            return;
        }
        try {
            end();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return;
        }
        try (Stream<Path> files = Files.walk(home)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** When this returns nobody writes into its folder any more. */
    private void end() throws InterruptedException {
        List<ProcessHandle> all = Stream.concat(process.descendants(), Stream.of(process.toHandle()))
                .toList();
        all.forEach(ProcessHandle::destroy);
        if (!process.waitFor(20, TimeUnit.SECONDS)) {
            all.forEach(ProcessHandle::destroyForcibly);
            process.waitFor(1, TimeUnit.MINUTES);
        }
    }
}
