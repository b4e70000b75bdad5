package io.penstock.server.monitor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

/** What the operating system says of this process. */
final class ProcessFigures {
    private static final Path STATM = Path.of("/proc/self/statm");
    private static final long PAGE = 4096;

    private ProcessFigures() {}

    /** Bytes of memory in use; where the system does not say, those of the Java heap. */
    static long residentBytes() {
        try {
            String[] fields = Files.readString(STATM, StandardCharsets.US_ASCII).split(" ");
            return Long.parseLong(fields[1]) * PAGE;
        } catch (IOException | RuntimeException e) {
            Runtime runtime = Runtime.getRuntime();
            return runtime.totalMemory() - runtime.freeMemory();
        }
    }

    /** Processor time since the start in per cent of one processor. */
    static double cpuPercent(Instant started, Instant now) {
        double elapsed = Math.max(Duration.between(started, now).toMillis(), 1);
        return Math.round(cpuTime().toMillis() / elapsed * 100);
    }

    static Duration cpuTime() {
        return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
    }
}
