package io.penstock.localstack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where a stack keeps its things.
 *
 * <pre>
 * HOME/state.json        what was started, with pids and ports
 *      secrets.json      passwords and keys made at the first start (0600)
 *      logs/NAME.log     one log a service
 *      data/NAME/        what survives down and up
 *      cache/            unpacked PostgreSQL, optimised Keycloak
 * </pre>
 */
public record StackHome(Path root) {
    public static StackHome at(Path path) {
        return new StackHome(path.toAbsolutePath().normalize());
    }

    /** The folder named on the command line, else PENSTOCK_HOME, else {@code .penstock} in the checkout. */
    static StackHome choose(Path named) {
        if (named != null) {
            return at(named);
        }
        String variable = System.getenv("PENSTOCK_HOME");
        return variable != null && !variable.isBlank()
                ? at(Path.of(variable))
                : at(checkout().resolve(".penstock"));
    }

    /** The checkout this program was built in, as the launcher script says. */
    public static Path checkout() {
        String root = System.getProperty("penstock.root");
        if (root == null) {
            throw new StackException("start this program with ./penstock, which says where the checkout is");
        }
        return Path.of(root);
    }

    public Path state() {
        return root.resolve("state.json");
    }

    public Path secrets() {
        return root.resolve("secrets.json");
    }

    public Path log(String service) {
        return root.resolve("logs").resolve(service + ".log");
    }

    public Path data(String service) {
        return create(root.resolve("data").resolve(service));
    }

    public Path cache() {
        return create(root.resolve("cache"));
    }

    /** Makes the folder and those above it. */
    public static Path create(Path folder) {
        try {
            return Files.createDirectories(folder);
        } catch (IOException e) {
            throw new StackException("folder " + folder + " cannot be made: " + e.getMessage(), e);
        }
    }
}
