package io.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three node processes; the journal of one that is down gets a block of zeros in the middle of what was on disk. */
@Tag("wire")
class JournalDamageWireTest {
    private static final int BLOCK = 4096;
    private static final int MESSAGES = 200;

    @TempDir
    private Path directory;

    private TestingNodes nodes;

    @BeforeEach
    void form() throws IOException {
        assumeThat(TestingNodes.cli()).as("the nats command is installed").isNotNull();
        nodes = new TestingNodes(directory, 3, null, null);
        nodes.startAll();
        nodes.node(0).ports();
        nodes.succeed(0, "stream", "add", "S", "--subjects=S.>", "--replicas=3", "--defaults");
        nodes.awaitWhole(0, "S", 3);
        publish();
    }

    @AfterEach
    void stop() {
        if (nodes != null) {
            nodes.close();
        }
    }

    /** At least so many messages: one whose acknowledgement was late may have been published again. */
    private void publish() {
        nodes.succeed(0, "publish", "S.1", "x".repeat(500), "--count=" + MESSAGES, "--jetstream");
    }

    private Path store(int node) {
        return nodes.home(node).resolve("store/jetstream");
    }

    private List<Path> segments(int node) throws IOException {
        try (Stream<Path> files = Files.list(store(node).resolve("journal"))) {
            return files.filter(file -> file.toString().endsWith(".journal"))
                    .sorted()
                    .toList();
        }
    }

    /** Zeros in the middle of the newest segment; what follows says that they were on disk. */
    private void damage(int node) throws IOException {
        try (RandomAccessFile file =
                new RandomAccessFile(segments(node).getLast().toFile(), "rw")) {
            assertThat(file.length()).isGreaterThan(4 * BLOCK);
            file.seek(file.length() / 2);
            file.write(new byte[BLOCK]);
        }
    }

    private long messages(int node) {
        return nodes.info(node, "S").path("state").path("messages").asLong();
    }

    @Test
    void comesBackAsANodeThatForgotAndVotesOnlyOnceItIsTakenInAnew() throws Exception {
        nodes.kill(1);
        nodes.kill(2);
        damage(1);
        nodes.start(1);
        nodes.node(1).awaitLog("ALARM: the journal of this node is damaged");
        nodes.node(1).ports();
        assertThat(store(1).resolve("damaged/1/journal")).isDirectory();
        // Longer than any election takes: with what it has forgotten there is no majority.
        Awaitility.await("no acknowledgement")
                .during(Duration.ofSeconds(4))
                .atMost(TestingNodes.PATIENCE)
                .until(() -> !nodes.acknowledged(0, "S.2", "never"));
        assertThat(nodes.node(1).log()).doesNotContain("votes from now on").doesNotContain("standing for election");
        nodes.start(2);
        nodes.awaitWhole(0, "S", 3);
        // What was tried without an answer may have been taken after all.
        assertThat(messages(0)).isGreaterThanOrEqualTo(MESSAGES);
        assertThat(nodes.user(0, "stream", "get", "S", "1").code()).isZero();
        assertThat(nodes.user(0, "stream", "get", "S", Integer.toString(MESSAGES))
                        .code())
                .isZero();
        assertThat(nodes.node(1).get("metrics").body()).contains("penstock_storage_set_aside 1");

        // It counts again: with another node away it makes the majority.
        nodes.kill(2);
        Awaitility.await("it votes").atMost(TestingNodes.PATIENCE).until(() -> nodes.acknowledged(0, "S.3", "y"));
        nodes.start(2);
        nodes.awaitWhole(0, "S", 3);
    }

    @Test
    void twoThatForgotElectNobody() throws Exception {
        nodes.kill(1);
        nodes.kill(2);
        damage(1);
        damage(2);
        nodes.start(1);
        nodes.start(2);
        for (int node : new int[] {1, 2}) {
            nodes.node(node).awaitLog("ALARM: the journal of this node is damaged");
            nodes.node(node).ports();
        }
        Awaitility.await("no acknowledgement")
                .during(Duration.ofSeconds(6))
                .atMost(TestingNodes.PATIENCE)
                .until(() -> !nodes.acknowledged(0, "S.2", "never") && !nodes.acknowledged(1, "S.2", "never"));
        for (int node = 0; node < 3; node++) {
            assertThat(nodes.leader(node, "S")).isEmpty();
        }
    }

    @Test
    void staysDownWhileAStreamHasItsOnlyCopyThere() throws Exception {
        nodes.succeed(0, "stream", "add", "ALONE", "--subjects=alone.>", "--replicas=1", "--defaults");
        Awaitility.await("its leader")
                .atMost(TestingNodes.PATIENCE)
                .until(() -> !nodes.leader(0, "ALONE").isEmpty());
        int node = Integer.parseInt(nodes.leader(0, "ALONE").substring(1));
        Awaitility.await("a message")
                .atMost(TestingNodes.PATIENCE)
                .until(() -> nodes.acknowledged(node, "alone.1", "one"));
        nodes.kill(node);
        Path journal = segments(node).getLast();
        byte[] whole = Files.readAllBytes(journal);
        damage(node);
        nodes.start(node);
        nodes.node(node).awaitExit();
        assertThat(nodes.node(node).log())
                .contains("'ALONE' of account 'A'")
                .contains("Restore the file")
                .contains(journal.getFileName().toString());
        assertThat(store(node).resolve("damaged")).doesNotExist();
        // As it said.
        Files.write(journal, whole);
        nodes.start(node);
        nodes.awaitWhole(node, "S", 3);
        Awaitility.await("the stream is there").atMost(TestingNodes.PATIENCE).until(() -> {
            JsonNode state = nodes.info(node, "ALONE").path("state");
            return state.path("messages").asLong() >= 1;
        });
    }

    @Test
    void aJournalThatWasMovedAwayIsRecognized() throws Exception {
        // A checkpoint is what there is to compare with.
        Awaitility.await("a checkpoint").atMost(TestingNodes.PATIENCE).until(() -> {
            try (Stream<Path> files = Files.list(store(1).resolve("raft"))) {
                return files.anyMatch(file -> file.toString().endsWith(".mark"));
            }
        });
        nodes.node(1).signal("TERM");
        nodes.node(1).awaitExit();
        Files.move(store(1).resolve("journal"), store(1).resolve("elsewhere"));
        nodes.start(1);
        nodes.node(1).awaitLog("it was lost or moved away");
        nodes.awaitWhole(0, "S", 3);
        assertThat(messages(0)).isGreaterThanOrEqualTo(MESSAGES);
    }
}
