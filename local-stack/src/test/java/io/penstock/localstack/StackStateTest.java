package io.penstock.localstack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.localstack.StackState.Started;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StackStateTest {
    @TempDir
    Path folder;

    @Test
    void survivesSavingAndLoading() {
        Path file = folder.resolve("state.json");
        StackState state = new StackState(Ports.defaults(3), Map.of("mail", new Started(7, 42, "mail.log")));

        state.save(file);

        assertThat(StackState.load(file)).isEqualTo(state);
    }

    @Test
    void isAbsentBeforeTheFirstStart() {
        assertThat(StackState.load(folder.resolve("state.json"))).isNull();
    }

    @Test
    void aReusedPidIsNotTheProcessThatWasStarted() {
        ProcessHandle self = ProcessHandle.current();
        Started real = Started.of(self, folder);

        assertThat(real.alive()).isEqualTo(self);
        assertThat(new Started(self.pid(), real.startedMillis() + 5000, "x").alive())
                .isNull();
    }

    /** The operating system reports start times as boot time and what passed since: both move with the wall clock. */
    @Test
    void aStepOfTheClockDoesNotMakeItAnotherProcess() {
        ProcessHandle self = ProcessHandle.current();
        long first = ProcessHandle.of(1).map(StackStateTest::reported).orElse(0L);

        assertThat(Started.of(self, folder).startedMillis()).isEqualTo(reported(self) - first);
    }

    private static long reported(ProcessHandle process) {
        return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    }

    @Test
    void aDamagedFileIsNamedAndNotOverwritten() throws IOException {
        Path file = Files.writeString(folder.resolve("state.json"), "{ half");

        assertThatThrownBy(() -> StackState.load(file)).hasMessageContaining(file.toString());
        assertThat(file).hasContent("{ half");
    }
}
