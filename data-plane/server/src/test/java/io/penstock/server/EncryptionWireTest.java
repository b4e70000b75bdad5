package io.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.server.TestingNode.Outcome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A node whose store is encrypted. */
@Tag("wire")
class EncryptionWireTest {
    @TempDir
    private Path directory;

    private Path configuration(String more) throws IOException {
        Path file = directory.resolve("node.conf");
        Files.writeString(file, """
                listen: "127.0.0.1:-1"
                jetstream { store_dir: "%s", %s }
                """.formatted(directory.resolve("store"), more));
        return file;
    }

    private TestingNode start(String more) throws IOException {
        return TestingNode.start(directory, "-c", configuration(more).toString());
    }

    private String refusal(String more) throws IOException, InterruptedException {
        Outcome outcome = TestingNode.run(directory, "-c", configuration(more).toString());
        assertThat(outcome.code()).isEqualTo(1);
        return outcome.errors() + outcome.out();
    }

    private static String ask(TestingNode node, String subject, String body) throws IOException {
        try (TestingNode.Client client = node.connect("")) {
            return client.request(subject, body);
        }
    }

    private static void fill(TestingNode node) throws IOException {
        String made = ask(node, "$JS.API.STREAM.CREATE.SAFE", """
                {"name":"SAFE","subjects":["safe.>"]}""");
        assertThat(made).contains("\"name\":\"SAFE\"");
        for (int i = 1; i <= 20; i++) {
            assertThat(ask(node, "safe.subject", "attack at dawn " + i)).contains("\"seq\":" + i);
        }
    }

    private static int messages(TestingNode node) throws IOException {
        String info = ask(node, "$JS.API.STREAM.INFO.SAFE", "");
        assertThat(info).contains("\"messages\":");
        return Integer.parseInt(info.replaceAll("(?s).*\"messages\":(\\d+).*", "$1"));
    }

    private void assertUnreadable() throws IOException {
        try (Stream<Path> files = Files.walk(directory.resolve("store"))) {
            List<Path> all = files.filter(Files::isRegularFile).toList();
            assertThat(all).hasSizeGreaterThan(1);
            for (Path file : all) {
                assertThat(Files.readString(file, StandardCharsets.ISO_8859_1))
                        .as(file.toString())
                        .doesNotContain("attack", "safe.subject", "SAFE");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"aes", "chacha"})
    void nothingInTheStoreCanBeReadAndAllOfItComesBack(String cipher) throws Exception {
        String settings = "key: \"a long and secret text\", cipher: " + cipher;
        try (TestingNode node = start(settings)) {
            fill(node);
            node.signal("KILL");
            node.awaitExit();
        }
        assertUnreadable();
        try (TestingNode node = start(settings)) {
            assertThat(messages(node)).isEqualTo(20);
            node.signal("TERM");
            node.awaitExit();
        }
        assertUnreadable();
    }

    @Test
    void aNewKeyTakesTheStoreOverFromTheOldOne() throws Exception {
        try (TestingNode node = start("key: one")) {
            fill(node);
            node.signal("TERM");
            node.awaitExit();
        }
        try (TestingNode node = start("key: two, prev_key: one")) {
            assertThat(messages(node)).isEqualTo(20);
            assertThat(ask(node, "safe.subject", "more")).contains("\"seq\":21");
            node.signal("TERM");
            node.awaitExit();
        }
        assertThat(refusal("key: three, prev_key: one")).contains("was encrypted with another key");
    }

    @Test
    void refusesTheWrongKeyNoKeyAndAPlainStore() throws Exception {
        try (TestingNode node = start("key: right")) {
            fill(node);
            node.signal("TERM");
            node.awaitExit();
        }
        assertThat(refusal("key: wrong")).contains("was encrypted with another key: set that");
        assertThat(refusal("max_mem: 1M")).contains("is encrypted and there is no key");
        try (TestingNode node = start("key: right")) {
            assertThat(messages(node)).as("nothing was changed").isEqualTo(20);
        }
        Files.move(directory.resolve("store"), directory.resolve("encrypted"));
        try (TestingNode node = start("max_mem: 1M")) {
            fill(node);
            node.signal("TERM");
            node.awaitExit();
        }
        assertThat(refusal("key: right")).contains("was made without a key");
    }
}
