package io.penstock.jetstream.backup;

import io.penstock.broker.internal.EventIds;
import io.penstock.storage.disk.Disk;
import io.penstock.storage.disk.DiskStreams;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The file an archive is gathered in. No name in its path comes from a client. */
public final class Staging {
    private static final Logger LOG = LoggerFactory.getLogger(Staging.class);
    private static final String DIRECTORY = "restore";
    private static final String SUFFIX = ".part";

    private final Disk disk;
    private final Path file;

    private Staging(Disk disk, Path file) {
        this.disk = disk;
        this.file = file;
    }

    /** Removes what an earlier process left. */
    public static void clear(Disk disk, Path storeDirectory) {
        Path directory = storeDirectory.resolve(DIRECTORY);
        try {
            for (String name : disk.list(directory)) {
                if (name.endsWith(SUFFIX)) {
                    disk.delete(directory.resolve(name));
                }
            }
        } catch (IOException e) {
            LOG.warn("cannot remove what is left of restores in {}: {}", directory, e.toString());
        }
    }

    static Staging create(Disk disk, Path storeDirectory) throws IOException {
        Path directory = storeDirectory.resolve(DIRECTORY);
        disk.createDirectories(directory);
        Path file = directory.resolve(EventIds.next() + SUFFIX);
        disk.open(file).close();
        return new Staging(disk, file);
    }

    OutputStream write() throws IOException {
        return DiskStreams.output(disk.open(file));
    }

    InputStream read() throws IOException {
        return DiskStreams.input(disk.openRead(file));
    }

    void remove() {
        try {
            disk.delete(file);
        } catch (IOException e) {
            LOG.warn("cannot remove {}; the next start does: {}", file, e.toString());
        }
    }
}
