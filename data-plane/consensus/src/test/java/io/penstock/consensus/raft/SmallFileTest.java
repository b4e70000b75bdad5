package io.penstock.consensus.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.storage.CorruptRecordException;
import io.penstock.storage.disk.TestingDisk;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SmallFileTest {
    private static final Path PATH = Path.of("/store/raft/1000.mark");
    private static final Path COPY = Path.of("/store/raft/1000.mark.copy");
    private TestingDisk disk = new TestingDisk();
    private SmallFile file = new SmallFile(disk, PATH);

    @BeforeEach
    void makeDirectory() throws IOException {
        disk.createDirectories(PATH.getParent());
    }

    private void write(String content) throws IOException {
        file.write(content.getBytes(StandardCharsets.UTF_8));
    }

    private String read() throws IOException {
        byte[] content = file.read();
        return content == null ? null : new String(content, StandardCharsets.UTF_8);
    }

    private void flipABit(Path path) {
        byte[] bytes = disk.bytes(path);
        bytes[bytes.length - 1] ^= 4;
        disk.overwrite(path, bytes);
    }

    @Test
    void readsWhatWasWrittenLast() throws IOException {
        assertThat(read()).isNull();
        write("one");
        write("two");
        assertThat(read()).isEqualTo("two");
    }

    @Test
    void readsAndMendsADamagedFileFromItsCopy() throws IOException {
        write("one");
        flipABit(PATH);
        assertThat(read()).isEqualTo("one");
        flipABit(COPY);
        assertThat(read()).isEqualTo("one");
    }

    @Test
    void readsTheCopyOfAnEmptiedAndOfALostFile() throws IOException {
        write("one");
        disk.overwrite(PATH, new byte[0]);
        assertThat(read()).isEqualTo("one");
        disk.delete(PATH);
        assertThat(read()).isEqualTo("one");
    }

    @Test
    void saysSoWhenBothAreDamaged() throws IOException {
        write("one");
        flipABit(PATH);
        flipABit(COPY);
        assertThatThrownBy(file::read)
                .isInstanceOf(CorruptRecordException.class)
                .hasMessageContaining("empty its store");
    }

    @Test
    void staysDeleted() throws IOException {
        write("one");
        file.delete();
        assertThat(read()).isNull();
    }

    @Test
    void powerLossLeavesTheOldOrTheNewAtEveryStep() throws IOException {
        for (int calls = 0; calls < 40; calls++) {
            disk = new TestingDisk();
            file = new SmallFile(disk, PATH);
            makeDirectory();
            write("one");
            disk.crashAfter(calls);
            boolean written = true;
            try {
                write("two");
            } catch (IOException | RuntimeException e) {
                written = false;
            }
            disk = disk.powerLoss(new Random(calls));
            file = new SmallFile(disk, PATH);
            assertThat(read())
                    .as("after %d calls", calls)
                    .isIn(written ? new String[] {"two"} : new String[] {"one", "two"});
        }
    }
}
