package io.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.server.TestingTrace.Call;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The system calls of a server: before an answer goes out, what it promises was written and forced. */
@Tag("wire")
class SyncTraceWireTest {
    private static final int MESSAGES = 10;

    @TempDir
    private Path directory;

    private TestingNode node;
    private TestingTrace trace;

    @AfterEach
    void stop() {
        if (trace != null) {
            trace.close();
        }
        if (node != null) {
            node.close();
        }
    }

    @Test
    void nothingIsAcknowledgedBeforeItIsOnDisk() throws Exception {
        List<Call> calls = trace("");
        assertThat(answers(calls)).hasSize(MESSAGES + 2);
        for (int i = 0; i < MESSAGES; i++) {
            assertThat(forcedBeforeItsAnswer(calls, i))
                    .as("message %d in %s", i, calls)
                    .isTrue();
        }
        // A purge, and an acknowledgement that is to be confirmed.
        for (int i = MESSAGES; i < MESSAGES + 2; i++) {
            int from = answers(calls).get(i - 1).begun();
            int to = answers(calls).get(i).begun();
            assertThat(calls.stream()
                            .anyMatch(call -> call.writesAFile()
                                    && call.begun() > from
                                    && call.ended() < to
                                    && TestingTrace.forced(calls, call, to)))
                    .as("answer %d in %s", i, calls)
                    .isTrue();
        }
    }

    @Test
    void aServerThatForcesLaterIsFoundOut() throws Exception {
        List<Call> calls = trace("sync_interval: \"1h\"");
        assertThat(answers(calls)).hasSize(MESSAGES + 2);
        for (int i = 0; i < MESSAGES; i++) {
            assertThat(forcedBeforeItsAnswer(calls, i)).isFalse();
        }
    }

    private static List<Call> answers(List<Call> calls) {
        return calls.stream()
                .filter(call -> call.sends() && call.text().contains("MSG _INBOX.t"))
                .toList();
    }

    private static boolean forcedBeforeItsAnswer(List<Call> calls, int message) {
        Call written = calls.stream()
                .filter(call -> call.writesAFile() && call.text().contains("mark-" + message + "-"))
                .findFirst()
                .orElseThrow();
        return TestingTrace.forced(calls, written, answers(calls).get(message).begun());
    }

    // --- the trace ------------------------------------------------------------------------------------------------

    private List<Call> trace(String more) throws Exception {
        TestingTrace.assumePossible();
        Path file = Files.writeString(directory.resolve("node.conf"), """
                listen: "127.0.0.1:-1"
                jetstream { store_dir: "%s", %s }
                """.formatted(directory.resolve("store"), more));
        node = TestingNode.start(directory, "-c", file.toString());
        try (TestingNode.Client client = node.connect("")) {
            client.request("$JS.API.STREAM.CREATE.S", "{\"name\":\"S\",\"subjects\":[\"s\"]}");
            client.request(
                    "$JS.API.CONSUMER.CREATE.S.c",
                    "{\"stream_name\":\"S\",\"config\":{\"durable_name\":\"c\",\"ack_policy\":\"explicit\"}}");
            trace = TestingTrace.begin(node.pid(), directory, 600);
            for (int i = 0; i < MESSAGES; i++) {
                assertThat(client.request("s", "mark-" + i + "-")).contains("\"seq\":" + (i + 1));
            }
            assertThat(client.request("$JS.API.STREAM.PURGE.S", "{\"keep\":1}")).contains("\"success\":true");
            client.send("SUB pulled 5\r\nPUB $JS.API.CONSUMER.MSG.NEXT.S.c pulled 1\r\n1\r\n");
            String[] message = client.await("MSG s 5").split(" ");
            client.request(message[3], "+ACK");
        }
        return trace.end();
    }
}
