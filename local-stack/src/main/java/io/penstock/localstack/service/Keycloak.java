package io.penstock.localstack.service;

import io.penstock.localstack.Stack;
import io.penstock.localstack.StackException;
import io.penstock.localstack.StackHome;
import io.penstock.localstack.process.Detached;
import io.penstock.localstack.process.Java;
import io.penstock.localstack.process.Probe;
import io.penstock.localstack.process.ProcessSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The identity provider: stock distribution, realm as code, optimised build kept by the hash of what went into it. */
public final class Keycloak implements Service {
    private static final String MEMORY =
            "-Xms64m -Xmx384m -XX:+UseSerialGC -XX:MaxMetaspaceSize=256m -XX:TieredStopAtLevel=1";

    private final Stack stack;

    public Keycloak(Stack stack) {
        this.stack = stack;
    }

    @Override
    public String name() {
        return "keycloak";
    }

    @Override
    public void prepare() {
        Path installed = installation();
        if (Files.exists(installed.resolve(".optimised"))) {
            return;
        }
        try {
            Folders.remove(installed);
            copy(distribution(), installed);
            copy(realm().resolveSibling("theme"), StackHome.create(installed.resolve("themes")));
            Path imports = StackHome.create(installed.resolve("data/import"));
            Files.copy(realm(), imports.resolve(realm().getFileName()));
            Detached.run(
                    new ProcessSpec(
                            List.of(
                                    installed.resolve("bin/kc.sh").toString(),
                                    "build",
                                    "--db=postgres",
                                    "--health-enabled=true"),
                            installed,
                            environment()),
                    stack.home().log(name()));
            Files.createFile(installed.resolve(".optimised"));
        } catch (IOException e) {
            throw new StackException("Keycloak cannot be installed in " + installed + ": " + e.getMessage(), e);
        }
    }

    private Path distribution() throws IOException {
        try (Stream<Path> unpacked = Files.list(stack.checkout().resolve("local-stack/target/keycloak"))) {
            return unpacked.filter(path -> path.getFileName().toString().startsWith("keycloak-"))
                    .findFirst()
                    .orElseThrow(() -> new IOException("the distribution is missing; run ./penstock build"));
        }
    }

    private Path realm() {
        return stack.checkout().resolve("control-plane/src/main/keycloak/penstock-realm.json");
    }

    /** A changed realm or theme gives another folder, so that an old optimised build is never used for it. */
    private Path installation() {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(distribution().getFileName().toString().getBytes(java.nio.charset.StandardCharsets.UTF_8));
            try (Stream<Path> files = Files.walk(realm().getParent())) {
                for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                    digest.update(Files.readAllBytes(file));
                }
            }
            String hash = HexFormat.of().formatHex(digest.digest()).substring(0, 12);
            return stack.home().cache().resolve("keycloak-" + hash);
        } catch (IOException | NoSuchAlgorithmException e) {
            throw new StackException("Keycloak's realm and theme cannot be read: " + e.getMessage(), e);
        }
    }

    @Override
    public ProcessSpec process() {
        Path installed = installation();
        return new ProcessSpec(
                List.of(
                        installed.resolve("bin/kc.sh").toString(),
                        "start",
                        "--optimized",
                        "--import-realm",
                        "--http-enabled=true",
                        "--http-host=127.0.0.1",
                        "--http-port=" + stack.ports().keycloak(),
                        "--http-management-port=" + stack.ports().keycloakHealth(),
                        "--hostname=" + stack.keycloakUrl(),
                        "--cache=local",
                        "--db-url=jdbc:postgresql://127.0.0.1:" + stack.ports().postgres() + "/keycloak",
                        "--db-username=keycloak"),
                installed,
                environment());
    }

    private Map<String, String> environment() {
        Map<String, String> variables = new HashMap<>();
        variables.put("JAVA_HOME", Java.home().toString());
        variables.put("JAVA_OPTS", MEMORY);
        variables.put("KC_DB_PASSWORD", stack.secrets().keycloakDatabase());
        variables.put("KC_BOOTSTRAP_ADMIN_USERNAME", "admin");
        variables.put("KC_BOOTSTRAP_ADMIN_PASSWORD", stack.secrets().keycloakAdmin());
        variables.put("PENSTOCK_CONSOLE_CLIENT_SECRET", stack.secrets().consoleClient());
        variables.put("PENSTOCK_CONTROL_PLANE_CLIENT_SECRET", stack.secrets().adminClient());
        variables.put("PENSTOCK_PUBLIC_URL", stack.consoleUrl());
        return variables;
    }

    @Override
    public boolean ready() {
        return Probe.answers("http://127.0.0.1:" + stack.ports().keycloakHealth() + "/health/ready");
    }

    @Override
    public Duration startLimit() {
        return Duration.ofMinutes(5);
    }

    private static void copy(Path source, Path target) throws IOException {
        if (!Files.isDirectory(source)) {
            return;
        }
        try (Stream<Path> paths = Files.walk(source)) {
            for (Path path : paths.toList()) {
                Path copied = target.resolve(source.relativize(path).toString());
                if (Files.isDirectory(path)) {
                    Files.createDirectories(copied);
                } else {
                    Files.copy(path, copied, StandardCopyOption.COPY_ATTRIBUTES, StandardCopyOption.REPLACE_EXISTING);
                }
            }
        }
    }
}
