package io.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.consensus.raft.StoredGroups;
import io.penstock.storage.disk.FileDisk;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three node processes; the journal of one that is down gets a block of zeros in the middle of what was on disk. One cluster
 * for all, since to form one takes longer than most of what is tried on it.
 */
@Tag("wire")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class JournalDamageWireTest {
    private static final int BLOCK = 4096;
    private static final int MESSAGES = 200;

    /** Longer than any election takes. */
    private static final Duration ELECTION = Duration.ofSeconds(4);

    @TempDir
    private static Path directory;

    private static TestingNodes nodes;

    /** Where the stream with one replica is: without its journal that node does not start. */
    private static int keeper;

    @BeforeAll
    static void form() throws IOException {
        assumeThat(TestingNodes.cli()).as("the nats command is installed").isNotNull();
        nodes = new TestingNodes(directory, 3, null, null);
        nodes.startAll();
        nodes.succeed(0, "stream", "add", "S", "--subjects=S.>", "--replicas=3", "--defaults");
    }

    @AfterAll
    static void stop() {
        if (nodes != null) {
            nodes.close();
        }
    }

    /**
     * At least so many messages: one whose acknowledgement was late may have been published again. What came last alone says
     * of what was before that it was on disk: without it damage in one large batch could pass for a torn write.
     */
    @BeforeEach
    void publish() {
        nodes.awaitWhole(0, "S", 3);
        nodes.succeed(0, "publish", "S.1", "x".repeat(500), "--count=" + MESSAGES, "--jetstream");
        nodes.awaitWhole(0, "S", 3);
        nodes.succeed(0, "publish", "S.1", "last", "--count=2", "--jetstream");
    }

    /**
     * Waits until the last checkpoint of every group of these nodes was made with three voters: a node that is one of two
     * by what its disk says keeps its past. That was so while a node was taken in anew.
     */
    private static void awaitOneOfThree(int... members) {
        Awaitility.await("members of all groups").atMost(TestingNodes.PATIENCE).until(() -> {
            List<String> voting = groups(members[0]).voting();
            return Arrays.stream(members)
                    .mapToObj(JournalDamageWireTest::groups)
                    .allMatch(groups ->
                            groups.voting().equals(voting) && groups.needing().isEmpty());
        });
    }

    private static StoredGroups groups(int node) {
        return StoredGroups.read(FileDisk.INSTANCE, store(node).resolve("raft"), "n" + node);
    }

    private static Path store(int node) {
        return nodes.home(node).resolve("store/jetstream");
    }

    private static List<Path> segments(int node) throws IOException {
        try (Stream<Path> files = Files.list(store(node).resolve("journal"))) {
            return files.filter(file -> file.toString().endsWith(".journal"))
                    .sorted()
                    .toList();
        }
    }

    /** Zeros in the middle of what the newest segment has; what follows says that they were on disk. */
    private static void damage(int node) throws IOException {
        Path segment = segments(node).getLast();
        int written = written(Files.readAllBytes(segment));
        assertThat(written).isGreaterThan(4 * BLOCK);
        try (RandomAccessFile file = new RandomAccessFile(segment.toFile(), "rw")) {
            file.seek(written / 2);
            file.write(new byte[BLOCK]);
        }
    }

    /** Up to where a segment has frames: what was prepared behind them is zeros. */
    private static int written(byte[] segment) {
        int end = segment.length;
        while (end > 0 && segment[end - 1] == 0) {
            end--;
        }
        return end;
    }

    /** How often the journal of a node was set aside. */
    private static long setAside(int node) throws IOException {
        Path folder = store(node).resolve("damaged");
        if (!Files.exists(folder)) {
            return 0;
        }
        try (Stream<Path> each = Files.list(folder)) {
            return each.count();
        }
    }

    /** How often a node was elected in any group. */
    private static int elections(int node) {
        return nodes.node(node).log().split("this node leads, term", -1).length - 1;
    }

    @Test
    @Order(1)
    void comesBackAsANodeThatForgotAndVotesOnlyOnceItIsTakenInAnew() throws Exception {
        awaitOneOfThree(1, 2);
        nodes.kill(1);
        nodes.kill(2);
        damage(1);
        nodes.start(1);
        nodes.node(1).awaitLog("ALARM: the journal of this node is damaged");
        nodes.node(1).ports();
        assertThat(store(1).resolve("damaged/1/journal")).isDirectory();
        // With what it has forgotten there is no majority.
        nodes.assertRefused(ELECTION, "S.2", 0);
        assertThat(nodes.node(1).log()).doesNotContain("votes from now on").doesNotContain("standing for election");
        nodes.start(2);
        nodes.awaitWhole(0, "S", 3);
        // What was tried without an answer may have been taken after all.
        assertThat(nodes.messages(0, "S")).isGreaterThanOrEqualTo(MESSAGES);
        assertThat(nodes.user(0, "stream", "get", "S", "1").code()).isZero();
        assertThat(nodes.user(0, "stream", "get", "S", Integer.toString(MESSAGES))
                        .code())
                .isZero();
        assertThat(nodes.node(1).get("metrics").body()).contains("penstock_storage_set_aside 1");

        // It counts again: with another node away it makes the majority.
        nodes.kill(2);
        nodes.awaitAcknowledged("it votes", 0, "S.3", "y");
        nodes.start(2);
    }

    @Test
    @Order(2)
    void staysDownWhileAStreamHasItsOnlyCopyThere() throws Exception {
        nodes.succeed(0, "stream", "add", "ALONE", "--subjects=alone.>", "--replicas=1", "--defaults");
        int node = Integer.parseInt(nodes.awaitLeader(0, "ALONE").substring(1));
        keeper = node;
        nodes.awaitAcknowledged("a message", node, "alone.1", "one");
        long setAside = setAside(node);
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
        assertThat(setAside(node)).isEqualTo(setAside);
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
    @Order(3)
    void aJournalThatWasMovedAwayIsRecognized() throws Exception {
        int node = (keeper + 1) % 3;
        long messages = nodes.messages(keeper, "S");
        // A checkpoint is what there is to compare with.
        Awaitility.await("a checkpoint").atMost(TestingNodes.PATIENCE).until(() -> {
            try (Stream<Path> files = Files.list(store(node).resolve("raft"))) {
                return files.anyMatch(file -> file.toString().endsWith(".mark"));
            }
        });
        nodes.node(node).terminate();
        nodes.node(node).awaitExit();
        Files.move(store(node).resolve("journal"), store(node).resolve("elsewhere"));
        nodes.start(node);
        nodes.node(node).awaitLog("it was lost or moved away");
        nodes.awaitWhole(keeper, "S", 3);
        assertThat(nodes.messages(keeper, "S")).isGreaterThanOrEqualTo(messages);
    }

    /** The last: nothing comes after it. */
    @Test
    @Order(4)
    void twoThatForgotElectNobody() throws Exception {
        List<Integer> forgetful = List.of((keeper + 1) % 3, (keeper + 2) % 3);
        awaitOneOfThree(forgetful.getFirst(), forgetful.getLast());
        for (int node : forgetful) {
            nodes.kill(node);
        }
        for (int node : forgetful) {
            damage(node);
        }
        int elections = elections(keeper);
        for (int node : forgetful) {
            nodes.start(node);
        }
        for (int node : forgetful) {
            nodes.node(node).awaitLog("ALARM: the journal of this node is damaged");
            nodes.node(node).ports();
        }
        nodes.assertRefused(ELECTION, "S.2", keeper, forgetful.getFirst());
        assertThat(elections(keeper)).isEqualTo(elections);
        for (int node : forgetful) {
            assertThat(elections(node)).isZero();
        }
    }
}
