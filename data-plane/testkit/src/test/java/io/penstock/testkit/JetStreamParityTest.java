package io.penstock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/** The same requests to a real nats-server and to our node give the same answers. */
@Tag("wire")
@TestInstance(Lifecycle.PER_CLASS)
class JetStreamParityTest {
    private static final String CONFIGURATION = """
            server_name: parity
            jetstream {
              store_dir: "@STORE@", max_mem: 1G, max_file: 1G
              limits { batch { max_inflight_per_stream: 3, max_msgs: 5 } }
            }
            """;

    private ServerProcess reference;
    private ServerProcess ours;

    @BeforeAll
    void start(@TempDir Path folder) {
        reference = ServerProcess.start(Programs.reference(), folder.resolve("reference"), CONFIGURATION);
        ours = ServerProcess.start(Programs.broker(), folder.resolve("ours"), CONFIGURATION);
    }

    @AfterAll
    void stop() {
        reference.close();
        ours.close();
    }

    @TestFactory
    Stream<DynamicContainer> scripts() throws IOException, URISyntaxException {
        Path resources = Path.of(Objects.requireNonNull(JetStreamParityTest.class.getResource("/api"))
                .toURI());
        try (Stream<Path> files = Files.list(resources)) {
            return files.sorted().toList().stream().map(this::file);
        }
    }

    private DynamicContainer file(Path file) {
        try {
            List<ApiScript> scripts = ApiScript.parse(Files.readString(file));
            return DynamicContainer.dynamicContainer(
                    file.getFileName().toString(),
                    scripts.stream().map(script -> DynamicTest.dynamicTest(script.name(), () -> compare(script))));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private void compare(ApiScript script) {
        // At once: scripts that wait for an answer nobody gives wait on both.
        CompletableFuture<List<String>> expected = CompletableFuture.supplyAsync(
                () -> ApiPlayer.play(script, reference.port()), Thread::startVirtualThread);
        List<String> actual = ApiPlayer.play(script, ours.port());
        assertThat(differences(expected.join(), actual)).as(script.name()).isEmpty();
    }

    /** Only what differs, each difference under the request that led to it. */
    private static String differences(List<String> expected, List<String> actual) {
        StringBuilder text = new StringBuilder();
        String request = "";
        for (int i = 0; i < Math.max(expected.size(), actual.size()); i++) {
            String wanted = i < expected.size() ? expected.get(i) : "(nothing)";
            String got = i < actual.size() ? actual.get(i) : "(nothing)";
            if (!wanted.startsWith(" ")) {
                request = wanted;
            }
            if (!wanted.equals(got)) {
                text.append(request)
                        .append("\n  reference:")
                        .append(wanted)
                        .append("\n  ours:     ")
                        .append(got)
                        .append('\n');
            }
        }
        return text.toString();
    }
}
