package io.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.alipay.sofa.jraft.rpc.RpcRequests.AppendEntriesRequest;
import com.alipay.sofa.jraft.rpc.RpcRequests.RequestVoteRequest;
import com.alipay.sofa.jraft.rpc.RpcRequests.RequestVoteResponse;
import com.google.protobuf.InvalidProtocolBufferException;
import io.penstock.server.TestingFrames.JournalFrame;
import io.penstock.server.TestingFrames.LinkFrame;
import io.penstock.server.TestingTrace.Call;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The system calls of one of three nodes: a vote and a term are forced before an answer of theirs leaves the node, and a
 * segment of the journal goes when what stands for it is forced.
 */
@Tag("wire")
class ClusterSyncTraceWireTest {
    private static final String USER = ",\"user\":\"a\",\"pass\":\"a\"";
    private static final int VOTES = 2;

    /** Most messages are longer than what the trace shows of a call: wherever one begins, it shows the mark. */
    private static final Pattern MARK = Pattern.compile("mark-(\\d{4})-");

    private static final int MESSAGE_BYTES = 500_000;

    /** More than a journal's segment has room for, many times over. */
    private static final int MOST_MESSAGES = 2000;

    private static final Pattern GROUP = Pattern.compile("(?m)^(\\S+) (\\d+) (?:voting|waiting) ");

    @TempDir
    private static Path directory;

    private static TestingNodes nodes;

    /** An answer on a peer link, with what was asked there before it. */
    private record Answered(Call call, LinkFrame request, LinkFrame reply) {}

    /** A vote or a term that a node has to remember. */
    private record Remembered(int group, long term, String votedFor, Call written) {}

    /** A file that was written beside, forced, renamed, and forced under its name: from its first byte to that. */
    private record Replaced(int begun, int ended) {}

    @BeforeAll
    static void form() throws IOException {
        assumeThat(TestingNodes.cli()).as("the nats command is installed").isNotNull();
        TestingTrace.assumePossible();
        nodes = new TestingNodes(directory, 3, null, null);
        nodes.startAll();
        nodes.succeed(0, "stream", "add", "S", "--subjects=S.>", "--replicas=3", "--defaults");
        nodes.awaitWhole(0, "S", 3);
    }

    @AfterAll
    static void stop() {
        if (nodes != null) {
            nodes.close();
        }
    }

    // --- votes ----------------------------------------------------------------------------------------------------

    /** Leadership is handed round until this node has voted for others. */
    @Test
    void neitherAVoteNorATermIsAnsweredBeforeItIsOnDisk() throws Exception {
        List<Call> calls;
        try (TestingTrace trace = TestingTrace.begin(nodes.node(0).pid(), directory, 1 << 16)) {
            Awaitility.await("n0 votes for others")
                    .atMost(TestingNodes.PATIENCE)
                    .until(() -> {
                        nodes.awaitLeader(1, "S");
                        nodes.user(1, "request", "$JS.API.STREAM.LEADER.STEPDOWN.S", "", "--raw");
                        return granted(answered(trace.calls())).size() >= VOTES;
                    });
            calls = trace.end();
        }
        Map<String, Integer> groups = groups();
        List<Remembered> remembered = remembered(calls);
        List<Answered> answered = answered(calls);
        for (Answered each : granted(answered)) {
            RequestVoteRequest vote =
                    RequestVoteRequest.parseFrom(each.request().message());
            assertThat(remembered)
                    .as("the vote of %s, answered at %s", vote, each.call())
                    .anyMatch(it -> it.group() == groups.get(vote.getGroupId().substring(1))
                            && it.term() == vote.getTerm()
                            && it.votedFor().equals(vote.getServerId())
                            && TestingTrace.forced(
                                    calls, it.written(), each.call().begun()));
        }
        assertTermsAreForced(calls, answered, remembered, groups);
    }

    /** Of terms that are new to this node while it is traced. */
    private static void assertTermsAreForced(
            List<Call> calls, List<Answered> answered, List<Remembered> remembered, Map<String, Integer> groups)
            throws InvalidProtocolBufferException {
        Map<String, Long> first = new HashMap<>();
        for (Answered each : answered) {
            if (each.request().kind() != TestingFrames.APPEND) {
                continue;
            }
            AppendEntriesRequest append =
                    AppendEntriesRequest.parseFrom(each.request().message());
            if (append.getTerm() > first.computeIfAbsent(append.getGroupId(), group -> append.getTerm())) {
                assertThat(remembered)
                        .as("term %d of %s, answered at %s", append.getTerm(), append.getGroupId(), each.call())
                        .anyMatch(it ->
                                it.group() == groups.get(append.getGroupId().substring(1))
                                        && it.term() == append.getTerm()
                                        && TestingTrace.forced(
                                                calls, it.written(), each.call().begun()));
            }
        }
    }

    private static List<Answered> answered(List<Call> calls) {
        Map<String, LinkFrame> asked = new HashMap<>();
        List<Answered> answered = new ArrayList<>();
        for (Call call : calls) {
            if (call.receives() || call.sends()) {
                for (LinkFrame frame : TestingFrames.ofLink(call.text())) {
                    String key = call.descriptor() + " " + frame.id();
                    if (frame.isRequest() && call.receives()) {
                        asked.put(key, frame);
                    } else if (frame.isReply() && call.sends() && asked.containsKey(key)) {
                        answered.add(new Answered(call, asked.remove(key), frame));
                    }
                }
            }
        }
        return answered;
    }

    private static List<Answered> granted(List<Answered> answered) throws InvalidProtocolBufferException {
        List<Answered> granted = new ArrayList<>();
        for (Answered each : answered) {
            if (each.request().kind() == TestingFrames.VOTE
                    && each.reply().kind() == TestingFrames.VOTED
                    && !RequestVoteRequest.parseFrom(each.request().message()).getPreVote()
                    && RequestVoteResponse.parseFrom(each.reply().message()).getGranted()) {
                granted.add(each);
            }
        }
        return granted;
    }

    private static List<Remembered> remembered(List<Call> calls) {
        List<Remembered> remembered = new ArrayList<>();
        for (Call call : calls) {
            for (JournalFrame frame : journalFrames(call)) {
                if (frame.kind() == TestingFrames.JOURNAL_VOTE) {
                    remembered.add(new Remembered(frame.group(), frame.term(), frame.payload(), call));
                }
            }
        }
        return remembered;
    }

    private static List<JournalFrame> journalFrames(Call call) {
        return call.writesAFile() && call.path().contains("/journal/")
                ? TestingFrames.ofJournal(call.text())
                : List.of();
    }

    /** The numbers of groups in the journal of the node that is traced. */
    private static Map<String, Integer> groups() throws IOException {
        Map<String, Integer> groups = new HashMap<>();
        Path table = nodes.home(0).resolve("store/jetstream/raft/groups");
        Matcher row = GROUP.matcher(Files.readString(table, StandardCharsets.ISO_8859_1));
        while (row.find()) {
            groups.put(row.group(1), Integer.parseInt(row.group(2)));
        }
        return groups;
    }

    // --- compaction -----------------------------------------------------------------------------------------------

    /** Takes as long as it does until the metadata, of which little is in the segment, has its next checkpoints. */
    @Test
    void aSegmentOfTheJournalGoesOnlyWhenTheCheckpointsBehindItAreOnDisk() throws Exception {
        List<Call> calls;
        String group;
        try (TestingTrace trace = TestingTrace.begin(nodes.node(0).pid(), directory, 600)) {
            nodes.succeed(0, "stream", "add", "C", "--subjects=C.>", "--replicas=3", "--defaults");
            nodes.awaitWhole(0, "C", 3);
            group = nodes.awaitShownAt(0, "C", "/cluster/raft_group");
            fill(nodes.home(0).resolve("store/jetstream/journal/0000000000000002.journal"));
            Path oldest = nodes.home(0).resolve("store/jetstream/journal/0000000000000001.journal");
            Awaitility.await("a segment of the journal goes")
                    .atMost(TestingNodes.PATIENCE)
                    .until(() -> !Files.exists(oldest));
            calls = trace.end();
        }
        assertThat(gone(calls)).isNotEmpty();
        int number = groups().get(group);
        for (Call gone : gone(calls)) {
            assertNothingIsMissing(calls, gone, number);
        }
    }

    /** Publishes until the journal has begun this segment; what the node does not take meanwhile it may refuse. */
    private static void fill(Path next) throws IOException {
        try (TestingNode.Client client = nodes.node(0).connect(USER)) {
            for (int i = 0; !Files.exists(next); i++) {
                assertThat(i).as("messages without a second segment").isLessThan(MOST_MESSAGES);
                String body = "mark-%04d-".formatted(i).repeat(MESSAGE_BYTES / 10);
                client.send("PUB C.x " + body.length() + "\r\n" + body + "\r\n");
                client.ping();
            }
        }
    }

    /** Segments of the journal that are put aside for use again, or removed. */
    private static List<Call> gone(List<Call> calls) {
        return calls.stream()
                .filter(call -> (call.removes() || call.renames(".spare"))
                        && call.path().endsWith(".journal"))
                .toList();
    }

    private static void assertNothingIsMissing(List<Call> calls, Call gone, int group) {
        List<Call> cuts = calls.stream()
                .filter(call -> call.begun() < gone.begun() && !cut(call).isEmpty())
                .toList();
        assertThat(cuts)
                .as("cuts of logs before %s", gone)
                .allMatch(call -> TestingTrace.forced(calls, call, gone.begun()));
        Call prefix = last(cuts.stream().filter(call -> cut(call).contains(group)));
        assertThat(prefix).as("the log was cut, on disk, before %s", gone).isNotNull();
        Replaced mark = lastReplaced(calls, "/raft/" + group + ".mark", prefix.begun());
        assertThat(mark).as("the mark is on disk before %s", prefix).isNotNull();

        Set<String> marks = new HashSet<>();
        calls.stream()
                .filter(call -> call.writesAFile() && call.path().equals(gone.path()))
                .forEach(call -> marks.addAll(marks(call)));
        assertThat(marks).as("messages in %s", gone).isNotEmpty();
        List<Call> stored = calls.stream()
                .filter(call -> call.writesAFile() && call.path().endsWith(".seg"))
                .filter(call -> marks(call).stream().anyMatch(marks::contains))
                .toList();
        assertThat(stored).as("the same messages in the stream").isNotEmpty();
        Path stream = Path.of(stored.getFirst().path()).getParent();
        Replaced manifest = lastReplaced(calls, stream + "/manifest", mark.begun());
        assertThat(manifest).as("the manifest is on disk before %s", mark).isNotNull();
        assertThat(stored).allMatch(call -> TestingTrace.forced(calls, call, manifest.begun()));
        assertThat(calls)
                .as("the stream's name is on disk before %s", mark)
                .anyMatch(call -> call.forces()
                        && call.path().equals(stream.getParent().toString())
                        && call.ended() < mark.begun());
    }

    /** The groups whose logs it cuts at the front. */
    private static List<Integer> cut(Call call) {
        return journalFrames(call).stream()
                .filter(frame -> frame.kind() == TestingFrames.JOURNAL_PREFIX)
                .map(JournalFrame::group)
                .toList();
    }

    private static Set<String> marks(Call call) {
        Set<String> marks = new HashSet<>();
        Matcher mark = MARK.matcher(call.text());
        while (mark.find()) {
            marks.add(mark.group(1));
        }
        return marks;
    }

    /** The last time before this that a file was replaced so that a power loss cannot undo it; null for never. */
    private static Replaced lastReplaced(List<Call> calls, String target, int before) {
        Replaced found = null;
        for (Call renamed : calls.stream().filter(call -> call.renames(target)).toList()) {
            Call written = last(calls.stream()
                    .filter(call -> call.writesAFile()
                            && call.path().equals(renamed.path())
                            && call.ended() < renamed.begun()));
            String folder = Path.of(renamed.path()).getParent().toString();
            Call named = calls.stream()
                    .filter(call -> call.forces() && call.path().equals(folder) && call.begun() > renamed.ended())
                    .findFirst()
                    .orElse(null);
            if (written != null
                    && TestingTrace.forced(calls, written, renamed.begun())
                    && named != null
                    && named.ended() < before) {
                found = new Replaced(written.begun(), named.ended());
            }
        }
        return found;
    }

    private static Call last(java.util.stream.Stream<Call> calls) {
        return calls.reduce((before, after) -> after).orElse(null);
    }
}
