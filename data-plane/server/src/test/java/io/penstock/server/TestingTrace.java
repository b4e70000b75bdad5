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

/** The system calls of a process that runs, in the order in which they began, by strace. */
final class TestingTrace implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String CALLS = "trace=read,write,readv,writev,pwrite64,sendto,sendmsg,recvfrom,recvmsg,"
            + "fsync,fdatasync,rename,renameat,renameat2,unlink,unlinkat";
    private static final Pattern BEGUN = Pattern.compile("^(\\d+) +(\\w+)\\((.*)$");
    private static final Pattern RESUMED = Pattern.compile("^(\\d+) +<\\.\\.\\. (\\w+) resumed>(.*)$");
    private static final Pattern QUOTED = Pattern.compile("\"([^\"]*)\"");
    private static final Pattern DESCRIPTOR = Pattern.compile("^(\\d+)<([^>]*)>");
    private static final String UNFINISHED = "<unfinished ...>";

    private final Path file;
    private final Process tracer;

    /**
     * A system call: the lines of the trace at which it began and had ended.
     *
     * @param ended {@link Integer#MAX_VALUE} when it failed or had not ended
     * @param descriptor number of the file or socket, -1 for none
     * @param path of that file when the call began, or the first that is named
     * @param data what was read or written, or the paths that are named, one after the other
     */
    record Call(String name, int begun, int ended, int descriptor, String path, List<String> data) {
        boolean done() {
            return ended < Integer.MAX_VALUE;
        }

        boolean forces() {
            return (name.equals("fdatasync") || name.equals("fsync")) && done();
        }

        /** Files are written by position, sockets are not. */
        boolean writesAFile() {
            return name.equals("pwrite64");
        }

        boolean sends() {
            return name.equals("write") || name.equals("writev") || name.startsWith("send");
        }

        boolean receives() {
            return name.equals("read") || name.equals("readv") || name.startsWith("recv");
        }

        boolean renames(String to) {
            return name.startsWith("rename") && done() && data.getLast().endsWith(to);
        }

        boolean removes() {
            return name.startsWith("unlink");
        }

        /** Everything that was read or written: a character for each byte. */
        String text() {
            return String.join("", data);
        }

        /** Without what was read or written: it may be long, and is not text. */
        @Override
        public String toString() {
            return name + " of " + path + " at line " + begun;
        }
    }

    private TestingTrace(Path file, Process tracer) {
        this.file = file;
        this.tracer = tracer;
    }

    /** Whether a file was forced after something was written to it, and before a place in the trace. */
    static boolean forced(List<Call> calls, Call written, int before) {
        return calls.stream()
                .anyMatch(call -> call.forces()
                        && call.path().equals(written.path())
                        && call.begun() > written.ended()
                        && call.ended() < before);
    }

    private static Path strace() {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
                .map(each -> Path.of(each, "strace"))
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(null);
    }

    /** Skips the test where strace is not installed. */
    static void assumePossible() {
        assumeThat(strace()).as("strace is installed").isNotNull();
    }

    /**
     * Begins; skips the test where processes cannot be traced.
     *
     * @param bytes how much is kept of what a call reads or writes
     */
    static TestingTrace begin(long pid, Path directory, int bytes) throws IOException {
        Path strace = strace();
        assumeThat(strace).as("strace is installed").isNotNull();
        Path file = directory.resolve("trace.txt");
        Files.deleteIfExists(file);
        Process tracer = new ProcessBuilder(
                        strace.toString(),
                        "-f",
                        "-y",
                        "-xx",
                        "-s",
                        Integer.toString(bytes),
                        "-e",
                        CALLS,
                        "-o",
                        file.toString(),
                        "-p",
                        Long.toString(pid))
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("strace.txt").toFile())
                .start();
        TestingTrace trace = new TestingTrace(file, tracer);
        Awaitility.await("every thread is traced").atMost(PATIENCE).until(() -> !tracer.isAlive() || traced(pid));
        assumeThat(tracer.isAlive()).as("processes may be traced here").isTrue();
        return trace;
    }

    private static boolean traced(long pid) throws IOException {
        try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(pid), "task"))) {
            return threads.allMatch(TestingTrace::isTraced);
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

    /** Lets the process run on untraced and answers all it did. */
    List<Call> end() throws IOException, InterruptedException {
        tracer.destroy();
        assertThat(tracer.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        return calls();
    }

    @Override
    public void close() {
        tracer.destroyForcibly();
    }

    /** What it has done up to now. */
    List<Call> calls() throws IOException {
        List<Call> calls = new ArrayList<>();
        Map<String, Integer> open = new HashMap<>();
        Map<Integer, String> begun = new HashMap<>();
        int number = 0;
        try (Stream<String> lines = Files.lines(file, StandardCharsets.ISO_8859_1)) {
            for (String line : (Iterable<String>) lines::iterator) {
                Matcher resumes = RESUMED.matcher(line);
                Matcher begins = BEGUN.matcher(line);
                if (resumes.matches()) {
                    Integer index = open.remove(resumes.group(1));
                    if (index != null) {
                        Call before = calls.get(index);
                        String arguments = begun.remove(index) + resumes.group(3);
                        calls.set(index, call(before.name(), arguments, before.begun(), number));
                    }
                } else if (begins.matches()) {
                    String arguments = begins.group(3);
                    boolean unfinished = arguments.endsWith(UNFINISHED);
                    if (unfinished) {
                        arguments = arguments.substring(0, arguments.length() - UNFINISHED.length());
                        open.put(begins.group(1), calls.size());
                        begun.put(calls.size(), arguments);
                    }
                    calls.add(call(begins.group(2), arguments, number, unfinished ? -1 : number));
                }
                number++;
            }
        }
        return calls;
    }

    /** @param last the line with its outcome, -1 when there is none */
    private static Call call(String name, String arguments, int first, int last) {
        boolean done =
                last >= 0 && arguments.contains(" = ") && !arguments.contains(" = -1") && !arguments.contains(" = ?");
        List<String> data = new ArrayList<>();
        Matcher quoted = QUOTED.matcher(arguments);
        while (quoted.find()) {
            data.add(decode(quoted.group(1)));
        }
        Matcher descriptor = DESCRIPTOR.matcher(arguments);
        boolean open = descriptor.find();
        String path = open ? decode(descriptor.group(2)) : data.isEmpty() ? "" : data.getFirst();
        return new Call(
                name,
                first,
                done ? last : Integer.MAX_VALUE,
                open ? Integer.parseInt(descriptor.group(1)) : -1,
                path,
                data);
    }

    /** What strace shows as hexadecimal digits. */
    private static String decode(String shown) {
        if (!shown.startsWith("\\x")) {
            return shown;
        }
        StringBuilder text = new StringBuilder(shown.length() / 4);
        for (int i = 0; i + 3 < shown.length(); i += 4) {
            text.append((char) Integer.parseInt(shown, i + 2, i + 4, 16));
        }
        return text.toString();
    }
}
