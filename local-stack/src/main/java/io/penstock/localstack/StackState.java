package io.penstock.localstack;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What was started last: kept in a file so that {@code status} and {@code down} find it.
 *
 * @param ports the ports in use, kept for the next start
 * @param services each service by name
 */
public record StackState(Ports ports, Map<String, Started> services) {
    private static final ObjectMapper JSON = new ObjectMapper()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

    /**
     * A process of the stack.
     *
     * @param startedMillis when it started, so that a reused pid is not mistaken for it: milliseconds after the machine's first
     *     process, since what the operating system reports moves with every step of the wall clock
     */
    public record Started(long pid, long startedMillis, String log) {
        private static final long FIRST_PROCESS = 1;

        static Started of(ProcessHandle process, Path log) {
            return new Started(process.pid(), startMillis(process), log.toString());
        }

        /** The process, when it still is the one that was started. */
        public ProcessHandle alive() {
            return ProcessHandle.of(pid)
                    .filter(ProcessHandle::isAlive)
                    .filter(process -> startMillis(process) == startedMillis)
                    .orElse(null);
        }

        private static long startMillis(ProcessHandle process) {
            return reported(process)
                    - ProcessHandle.of(FIRST_PROCESS).map(Started::reported).orElse(0L);
        }

        private static long reported(ProcessHandle process) {
            return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
        }
    }

    static StackState load(Path file) {
        if (!Files.exists(file)) {
            return null;
        }
        try {
            return JSON.readValue(file.toFile(), StackState.class);
        } catch (IOException e) {
            throw new StackException(
                    "state file " + file + " is not readable: " + e.getMessage()
                            + ". Stop the processes it names by hand and remove it.",
                    e);
        }
    }

    StackState with(String service, Started started) {
        Map<String, Started> all = new LinkedHashMap<>(services);
        all.put(service, started);
        return new StackState(ports, all);
    }

    void save(Path file) {
        try {
            StackHome.create(file.getParent());
            Path written = Files.writeString(file.resolveSibling("state.json.new"), JSON.writeValueAsString(this));
            Files.move(written, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new StackException("state file " + file + " cannot be written: " + e.getMessage(), e);
        }
    }
}
