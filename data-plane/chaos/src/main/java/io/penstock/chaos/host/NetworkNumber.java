package io.penstock.chaos.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A number of this process's own among all that make networks on this machine: it is in their names and addresses. Held by
 * the lock of a file, which goes with the process however that ends.
 */
final class NetworkNumber implements AutoCloseable {
    private static final int FIRST = 10;
    private static final int LAST = 99;

    private final int value;
    private final FileChannel channel;

    private NetworkNumber(int value, FileChannel channel) {
        this.value = value;
        this.channel = channel;
    }

    static NetworkNumber take() {
        Path folder = Path.of(System.getProperty("java.io.tmpdir"));
        try {
            for (int number = FIRST; number <= LAST; number++) {
                FileChannel channel = FileChannel.open(
                        folder.resolve("penstock-chaos-" + number + ".lock"),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE);
                if (lock(channel) != null) {
                    return new NetworkNumber(number, channel);
                }
                channel.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("no number for the networks of this run, see " + folder, e);
        }
        throw new IllegalStateException(LAST - FIRST + 1 + " runs on this machine already");
    }

    private static FileLock lock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            // Another cluster of this process.
            return null;
        }
    }

    int value() {
        return value;
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
