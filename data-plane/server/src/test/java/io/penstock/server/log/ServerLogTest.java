package io.penstock.server.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerLogTest {
    @TempDir
    private Path directory;

    private final ByteArrayOutputStream standardError = new ByteArrayOutputStream();
    private final ServerLog log =
            new ServerLog(standardError, 42, Clock.fixed(Instant.parse("2026-03-04T05:06:07.089012Z"), ZoneOffset.UTC));

    private static LogSettings file(Path file, long limit, int maxFiles) {
        return new LogSettings(file, limit, maxFiles, false, false, true, true);
    }

    @Test
    void writesPidTimeAndLevel() throws Exception {
        log.configure(new LogSettings(null, 0, 0, true, false, true, true));

        log.info("hello");
        log.debug("details");

        assertThat(standardError.toString(StandardCharsets.UTF_8)).isEqualTo("""
                        [42] 2026/03/04 05:06:07.089012 [INF] hello
                        [42] 2026/03/04 05:06:07.089012 [DBG] details
                        """);
    }

    @Test
    void leavesOutTimeAndDebugLinesWhenTold() throws Exception {
        log.configure(new LogSettings(null, 0, 0, false, false, false, true));

        log.debug("details");
        log.error("broken");

        assertThat(standardError.toString(StandardCharsets.UTF_8)).isEqualTo("[42] [ERR] broken\n");
    }

    @Test
    void rotatesAtTheLimitAndKeepsTheNewestFiles() throws Exception {
        Path path = directory.resolve("server.log");
        log.configure(file(path, 100, 3));

        for (int i = 0; i < 10; i++) {
            log.info("line number " + i);
        }

        try (Stream<Path> files = Files.list(directory)) {
            List<Path> all = files.sorted().toList();
            assertThat(all).hasSize(3).first().isEqualTo(path);
            assertThat(all).allSatisfy(each -> assertThat(Files.size(each)).isLessThanOrEqualTo(100));
        }
        assertThat(Files.readString(path)).contains("line number 9");
    }

    @Test
    void goesOnInANewFileAfterReopening() throws Exception {
        Path path = directory.resolve("server.log");
        log.configure(file(path, 0, 0));
        log.info("before");
        Files.move(path, directory.resolve("moved.log"));

        assertThat(log.reopen()).isTrue();
        log.info("after");

        assertThat(Files.readString(path)).contains("after").doesNotContain("before");
        assertThat(Files.readString(directory.resolve("moved.log"))).contains("before");
    }

    @Test
    void doesNotReopenStandardError() throws Exception {
        assertThat(log.reopen()).isFalse();
    }
}
