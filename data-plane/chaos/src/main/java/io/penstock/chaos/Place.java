package io.penstock.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** Which server, and where its nodes keep their things. */
final class Place {
    @Option(names = "--server", required = true, description = "The nats-server executable to test.")
    private Path server;

    @Option(
            names = "--jetstream",
            defaultValue = "",
            description = "More of the jetstream block, for instance \"sync_interval: always\".")
    private String jetStream;

    @Option(names = "--work", description = "Folder of disks and logs. Default: a new one in the temporary folder.")
    private Path work;

    Path server() {
        return server.toAbsolutePath();
    }

    String jetStream() {
        return jetStream;
    }

    /** A new folder for one run. */
    Path folder(String name) throws IOException {
        if (work == null) {
            work = Files.createTempDirectory("penstock-chaos-");
        }
        return Files.createDirectories(work.resolve(name));
    }

    void remove(Path folder) throws IOException {
        List<Path> paths;
        try (Stream<Path> all = Files.walk(folder)) {
            paths = all.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : paths) {
            Files.delete(path);
        }
    }
}
