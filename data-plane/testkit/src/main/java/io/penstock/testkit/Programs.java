package io.penstock.testkit;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Finds the programs tests drive. */
public final class Programs {
    private Programs() {}

    /** Our broker: PENSTOCK_BROKER, else as the build made it; fails when it is not built. */
    public static Path broker() {
        String other = System.getenv("PENSTOCK_BROKER");
        if (other != null) {
            return Path.of(other);
        }
        Path folder = Path.of("").toAbsolutePath();
        while (folder != null) {
            Path built = folder.resolve("data-plane/server/target/dist/nats-server");
            if (Files.isExecutable(built)) {
                return built;
            }
            folder = folder.getParent();
        }
        throw new IllegalStateException("the broker is not built: run ./penstock build");
    }

    /** The reference server, from PENSTOCK_REFERENCE_SERVER, the tool cache or PATH. */
    public static Path reference() {
        return Optional.ofNullable(System.getenv("PENSTOCK_REFERENCE_SERVER"))
                .map(Path::of)
                .or(() -> executable(cache().resolve("tools/bin/nats-server")))
                .or(Programs::onPath)
                .orElseThrow(
                        () -> new IllegalStateException("nats-server is not installed: run ./penstock tools, or set"
                                + " PENSTOCK_REFERENCE_SERVER to its path"));
    }

    private static Path cache() {
        String own = System.getenv("PENSTOCK_CACHE");
        if (own != null) {
            return Path.of(own);
        }
        String xdg = System.getenv("XDG_CACHE_HOME");
        Path base = xdg != null ? Path.of(xdg) : Path.of(System.getProperty("user.home"), ".cache");
        return base.resolve("penstock");
    }

    private static Optional<Path> onPath() {
        for (String folder : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)) {
            Optional<Path> found = executable(Path.of(folder, "nats-server"));
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private static Optional<Path> executable(Path path) {
        return Files.isExecutable(path) ? Optional.of(path) : Optional.empty();
    }
}
