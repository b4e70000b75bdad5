package io.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A stream that is compressed on disk, made by the real command. */
@Tag("wire")
class CompressionWireTest {
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    /** 24 MiB in all: a full segment, and a part of one. */
    private static final int MESSAGES = 24_000;

    private static final int BATCH = 1_000;

    @TempDir
    private Path directory;

    @BeforeEach
    void commandIsThere() {
        assumeThat(TestingNodes.cli()).as("the nats command is installed").isNotNull();
    }

    private TestingNode start() throws IOException {
        Path file = directory.resolve("node.conf");
        Files.writeString(file, """
                listen: "127.0.0.1:-1"
                jetstream { store_dir: "%s" }
                """.formatted(directory.resolve("store")));
        return TestingNode.start(directory, "-c", file.toString());
    }

    private static String cli(TestingNode node, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                TestingNodes.cli().toString(),
                "--no-context",
                "--timeout=20s",
                "--server=nats://127.0.0.1:" + node.port("nats")));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as("%s%n%s", command, text).isZero();
        return text;
    }

    private static String payload(int number) {
        StringBuilder text = new StringBuilder("{\"order\":" + number + ",\"lines\":[");
        while (text.length() < 1_000) {
            text.append("{\"article\":\"A-")
                    .append(text.length() * 31L * number % 10_007)
                    .append("\",\"count\":2},");
        }
        return text.append("{}]}").toString();
    }

    /** Nothing is left to luck: each batch ends with a publish whose answer says how many are stored. */
    private static void publish(TestingNode node) throws IOException {
        try (TestingNode.Client client = node.connect("")) {
            for (int from = 1; from <= MESSAGES; from += BATCH) {
                StringBuilder lines = new StringBuilder();
                for (int number = from; number < from + BATCH - 1; number++) {
                    String body = payload(number);
                    lines.append("PUB o.x ")
                            .append(body.length())
                            .append("\r\n")
                            .append(body)
                            .append("\r\n");
                }
                client.send(lines.toString());
                int last = from + BATCH - 1;
                assertThat(client.request("o.x", payload(last))).contains("\"seq\":" + last);
            }
        }
    }

    private static void allIsThere(TestingNode node) throws IOException {
        try (TestingNode.Client client = node.connect("")) {
            client.send("SUB _INBOX.get 5\r\n");
            for (int from = 1; from <= MESSAGES; from += BATCH) {
                String body = "{\"seq\":" + from + ",\"batch\":" + BATCH + "}";
                client.send("PUB $JS.API.DIRECT.GET.S _INBOX.get " + body.length() + "\r\n" + body + "\r\n");
                for (int number = from; number < from + BATCH; number++) {
                    assertThat(client.await("{\"order\":")).isEqualTo(payload(number));
                }
            }
        }
    }

    private List<Path> segments(String suffix) throws IOException {
        try (Stream<Path> files = Files.walk(directory.resolve("store"))) {
            return files.filter(file -> file.toString().endsWith(suffix)).toList();
        }
    }

    private static long bytes(List<Path> files) throws IOException {
        long sum = 0;
        for (Path file : files) {
            sum += Files.size(file);
        }
        return sum;
    }

    @Test
    void fullSegmentsTakeLessRoomAndAllIsThereAfterTheProcessWasKilled() throws Exception {
        try (TestingNode node = start()) {
            cli(node, "stream", "add", "S", "--subjects=o.>", "--compression=s2", "--allow-direct", "--defaults");
            assertThat(cli(node, "stream", "info", "S", "--json")).contains("\"compression\": \"s2\"");
            publish(node);
            Awaitility.await().atMost(PATIENCE).until(() -> !segments(".sg2").isEmpty());
            // The last checkpoint makes it known, and lets the plain one go.
            node.signal("TERM");
            node.awaitExit();
        }
        assertThat(segments(".seg")).as("the one that is written to").hasSize(1);
        assertThat(bytes(segments(".sg2"))).isLessThan((16 << 20) / 2);
        try (TestingNode node = start()) {
            cli(node, "stream", "edit", "S", "--compression=none", "--force");
            cli(node, "req", "o.y", "one more");
            node.signal("KILL");
            node.awaitExit();
        }
        assertThat(segments(".sg2")).hasSize(1);
        try (TestingNode node = start()) {
            assertThat(cli(node, "stream", "info", "S", "--json")).doesNotContain("\"s2\"");
            assertThat(cli(node, "stream", "get", "S", Integer.toString(MESSAGES + 1)))
                    .contains("one more");
            allIsThere(node);
        }
    }
}
