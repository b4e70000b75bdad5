package io.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreRoomTest {
    private static final long TERABYTE = 1L << 40;

    @TempDir
    private Path directory;

    @Test
    void whatIsStoredAlreadyIsPartOfTheRoom() throws IOException {
        Path streams = Files.createDirectories(directory.resolve("jetstream/streams/A"));
        try (RandomAccessFile sparse =
                new RandomAccessFile(streams.resolve("1.seg").toFile(), "rw")) {
            sparse.setLength(TERABYTE);
        }
        assertThat(StoreRoom.share(directory)).isGreaterThanOrEqualTo(TERABYTE / 4 * 3);
    }

    @Test
    void aStoreThatIsNotThereYetHasItsShareOfWhatIsFree() {
        long free = directory.toFile().getTotalSpace();
        assertThat(StoreRoom.share(directory.resolve("not/yet"))).isPositive().isLessThanOrEqualTo(free);
    }
}
