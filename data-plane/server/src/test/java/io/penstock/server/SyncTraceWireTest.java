package io.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The system calls of a server: before an answer goes out, what it promises was written and forced. */
@Tag("wire")
class SyncTraceWireTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int MESSAGES = 10;
    private static final Pattern BEGUN = Pattern.compile("^(\\d+) +(\\w+)\\((.*)$");
    private static final Pattern RESUMED = Pattern.compile("^(\\d+) +<\\.\\.\\. (\\w+) resumed>.*$");

    @TempDir
    private Path directory;

    private TestingNode node;
    private Process tracer;

    /** A system call: the lines of the trace at which it began and had ended. */
    private record Call(String name, String arguments, int begun, int ended) {
        boolean forces() {
            return (name.equals("fdatasync") || name.equals("fsync")) && ended < Integer.MAX_VALUE;
        }

        /** Files are written by position, sockets are not. */
        boolean writesAFile() {
            return name.equals("pwrite64");
        }

        boolean answers() {
            return !writesAFile() && arguments.contains("MSG _INBOX.t");
        }

        String file() {
            return arguments.substring(0, arguments.indexOf(name.equals("pwrite64") ? ',' : ')'));
        }
    }

    @AfterEach
    void stop() {
        if (tracer != null) {
            tracer.destroyForcibly();
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
                                    && forced(calls, call, to)))
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
        return calls.stream().filter(Call::answers).toList();
    }

    private static boolean forcedBeforeItsAnswer(List<Call> calls, int message) {
        Call written = calls.stream()
                .filter(call -> call.writesAFile() && call.arguments().contains("mark-" + message + "-"))
                .findFirst()
                .orElseThrow();
        return forced(calls, written, answers(calls).get(message).begun());
    }

    private static boolean forced(List<Call> calls, Call written, int before) {
        return calls.stream()
                .anyMatch(call -> call.forces()
                        && call.file().equals(written.file())
                        && call.begun() > written.ended()
                        && call.ended() < before);
    }

    // --- the trace ------------------------------------------------------------------------------------------------

    private List<Call> trace(String more) throws Exception {
        Path strace = Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
                .map(each -> Path.of(each, "strace"))
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(null);
        assumeThat(strace).as("strace is installed").isNotNull();
        Path file = Files.writeString(directory.resolve("node.conf"), """
                listen: "127.0.0.1:-1"
                jetstream { store_dir: "%s", %s }
                """.formatted(directory.resolve("store"), more));
        node = TestingNode.start(directory, "-c", file.toString());
        Path trace = directory.resolve("trace.txt");
        try (TestingNode.Client client = node.connect("")) {
            client.request("$JS.API.STREAM.CREATE.S", "{\"name\":\"S\",\"subjects\":[\"s\"]}");
            client.request(
                    "$JS.API.CONSUMER.CREATE.S.c",
                    "{\"stream_name\":\"S\",\"config\":{\"durable_name\":\"c\",\"ack_policy\":\"explicit\"}}");
            tracer = new ProcessBuilder(
                            strace.toString(),
                            "-f",
                            "-s",
                            "600",
                            "-e",
                            "trace=write,writev,pwrite64,sendto,sendmsg,fsync,fdatasync",
                            "-o",
                            trace.toString(),
                            "-p",
                            Long.toString(node.pid()))
                    .redirectErrorStream(true)
                    .redirectOutput(directory.resolve("strace.txt").toFile())
                    .start();
            Awaitility.await("every thread is traced").atMost(PATIENCE).until(() -> !tracer.isAlive() || traced());
            assumeThat(tracer.isAlive()).as("processes may be traced here").isTrue();
            for (int i = 0; i < MESSAGES; i++) {
                assertThat(client.request("s", "mark-" + i + "-")).contains("\"seq\":" + (i + 1));
            }
            assertThat(client.request("$JS.API.STREAM.PURGE.S", "{\"keep\":1}")).contains("\"success\":true");
            client.send("SUB pulled 5\r\nPUB $JS.API.CONSUMER.MSG.NEXT.S.c pulled 1\r\n1\r\n");
            String[] message = client.await("MSG s 5").split(" ");
            client.request(message[3], "+ACK");
        }
        tracer.destroy();
        assertThat(tracer.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        return read(trace);
    }

    private boolean traced() throws IOException {
        try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(node.pid()), "task"))) {
            return threads.allMatch(SyncTraceWireTest::isTraced);
        }
    }

    private static boolean isTraced(Path thread) {
        try {
            return !Files.readString(thread.resolve("status")).contains("TracerPid:\t0");
        } catch (IOException e) {
            // It has ended meanwhile.
            return true;
        }
    }

    private static List<Call> read(Path trace) throws IOException {
        List<Call> calls = new ArrayList<>();
        Map<String, Integer> open = new HashMap<>();
        List<String> lines = Files.readAllLines(trace, StandardCharsets.ISO_8859_1);
        for (int i = 0; i < lines.size(); i++) {
            Matcher resumed = RESUMED.matcher(lines.get(i));
            Matcher begun = BEGUN.matcher(lines.get(i));
            if (resumed.matches()) {
                Integer index = open.remove(resumed.group(1));
                if (index != null
                        && lines.get(i).contains(" = ")
                        && !lines.get(i).contains("= -1")) {
                    Call call = calls.get(index);
                    calls.set(index, new Call(call.name(), call.arguments(), call.begun(), i));
                }
            } else if (begun.matches()) {
                boolean unfinished = begun.group(3).endsWith("<unfinished ...>");
                String arguments = begun.group(3).replace(" <unfinished ...>", ")");
                if (unfinished) {
                    open.put(begun.group(1), calls.size());
                }
                boolean failed = begun.group(3).contains(" = -1 ");
                calls.add(new Call(begun.group(2), arguments, i, unfinished || failed ? Integer.MAX_VALUE : i));
            }
        }
        return calls;
    }
}
