package io.penstock.localstack;

import io.penstock.localstack.StackState.Started;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What is checked before anything starts, so that a start fails whole and early. */
final class Preflight {
    /** Room for a fresh database, Keycloak's optimised build, logs and some streams. */
    private static final long MIN_FREE_BYTES = 1L << 30;

    private Preflight() {}

    static void check(Path checkout, StackHome home, StackState state) {
        List<String> problems = new ArrayList<>();
        checkPrograms(checkout, problems);
        checkDisk(home, problems);
        boolean anyAlive =
                state.services().values().stream().map(Started::alive).anyMatch(alive -> alive != null);
        if (!anyAlive) {
            checkPorts(state.ports(), problems);
        }
        if (!problems.isEmpty()) {
            throw new StackException("nothing was started:\n  " + String.join("\n  ", problems));
        }
    }

    private static void checkPrograms(Path checkout, List<String> problems) {
        for (String program : List.of(
                "data-plane/server/target/dist/nats-server",
                "account-service/service/target/quarkus-app/quarkus-run.jar",
                "control-plane/target/quarkus-app/quarkus-run.jar",
                "local-stack/target/keycloak")) {
            if (!Files.exists(checkout.resolve(program))) {
                problems.add(program + " is not built: run ./penstock build");
            }
        }
    }

    private static void checkDisk(StackHome home, List<String> problems) {
        try {
            long free = Files.getFileStore(StackHome.create(home.root())).getUsableSpace();
            if (free < MIN_FREE_BYTES) {
                problems.add("only " + (free >> 20) + " MiB are free in " + home.root() + "; 1024 MiB are needed:"
                        + " free some, or name another folder with --home");
            }
        } catch (IOException e) {
            problems.add("free space of " + home.root() + " cannot be read: " + e.getMessage());
        }
    }

    private static void checkPorts(Ports ports, List<String> problems) {
        for (Map.Entry<String, Integer> use : ports.byUse().entrySet()) {
            if (!Ports.isFree(use.getValue())) {
                problems.add(
                        "port " + use.getValue() + " for " + use.getKey()
                                + " is in use: stop what holds it (ss -ltnp shows it), or start with --ports random --home DIR");
            }
        }
    }
}
