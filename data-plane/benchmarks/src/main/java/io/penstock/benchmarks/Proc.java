package io.penstock.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What the kernel tells of a process. */
final class Proc {
    /** Clock ticks a second in /proc; fixed by the kernel's ABI. */
    private static final long TICKS = 100;

    private Proc() {}

    /** User and system time used so far, in nanoseconds; resolution 10 ms. */
    static long cpuNanos(long pid) throws IOException {
        String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
        List<String> fields = List.of(stat.substring(stat.lastIndexOf(')') + 2).split(" "));
        long ticks = Long.parseLong(fields.get(11)) + Long.parseLong(fields.get(12));
        return ticks * (1_000_000_000L / TICKS);
    }

    /** Resident memory in MiB. */
    static long residentMib(long pid) throws IOException {
        return status(pid, "VmRSS:") / 1024;
    }

    static long threads(long pid) throws IOException {
        return status(pid, "Threads:");
    }

    /** Open file descriptors. */
    static long descriptors(long pid) throws IOException {
        try (var files = Files.list(Path.of("/proc/" + pid + "/fd"))) {
            return files.count();
        }
    }

    private static long status(long pid, String key) throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/status"))) {
            if (line.startsWith(key)) {
                return Long.parseLong(line.replaceAll("\\D", ""));
            }
        }
        return 0;
    }
}
