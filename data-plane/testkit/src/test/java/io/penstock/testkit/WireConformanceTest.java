package io.penstock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/** The same rows against a real nats-server, which proves the rows, and against our node. */
@Tag("wire")
@TestInstance(Lifecycle.PER_CLASS)
class WireConformanceTest {
    @TempDir
    Path folder;

    private final Map<String, ServerProcess> servers = new HashMap<>();

    @AfterAll
    void stop() {
        servers.values().forEach(ServerProcess::close);
    }

    @TestFactory
    Stream<DynamicContainer> rows() throws IOException, URISyntaxException {
        List<DynamicContainer> files = new ArrayList<>();
        for (Path file : rowFiles()) {
            List<WireRow> rows = WireRow.parse(Files.readString(file));
            files.add(DynamicContainer.dynamicContainer(
                    file.getFileName().toString(),
                    Stream.of(System.getProperty("wire.sides", "reference,ours").split(","))
                            .flatMap(side -> rows.stream()
                                    .map(row -> DynamicTest.dynamicTest(
                                            side + ": " + row.name(),
                                            () -> assertThat(WireRunner.play(
                                                            row,
                                                            server(side, row).port()))
                                                    .as("%s: %s", side, row.name())
                                                    .isEmpty())))));
        }
        assertThat(files).isNotEmpty();
        return files.stream();
    }

    /** Rows with the same configuration share a server: each uses subjects of its own. */
    private ServerProcess server(String side, WireRow row) {
        return servers.computeIfAbsent(
                side + row.configuration(),
                _ -> ServerProcess.start(
                        side.equals("ours") ? Programs.broker() : Programs.reference(),
                        folder.resolve(side + servers.size()),
                        row.configuration()));
    }

    private static List<Path> rowFiles() throws IOException, URISyntaxException {
        URL resources = WireConformanceTest.class.getResource("/wire");
        assertThat(resources).isNotNull();
        try (Stream<Path> files = Files.list(Path.of(resources.toURI()))) {
            return files.sorted().toList();
        }
    }
}
