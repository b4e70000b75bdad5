package io.penstock.storage.disk;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/** The file system, as far as storage uses it; a port, so that tests can lose power, tear writes and fill it up. */
public interface Disk {
    /** Opens for reading and writing, creating the file when it is missing. */
    DiskFile open(Path path) throws IOException;

    /** Opens an existing file for reading. */
    DiskFile openRead(Path path) throws IOException;

    /** Names in a directory, in no order; empty when there is no such directory. */
    List<String> list(Path directory) throws IOException;

    boolean exists(Path path);

    boolean isDirectory(Path path);

    void createDirectories(Path directory) throws IOException;

    /** Gives a file or directory another name, replacing a file of that name, at once and whole. */
    void rename(Path from, Path to) throws IOException;

    void delete(Path path) throws IOException;

    /** Makes creations, renames and deletions in a directory durable. */
    void forceDirectory(Path directory) throws IOException;

    /** Whether a file may be written anew from its beginning without being cut first. */
    default boolean reusesSpace() {
        return true;
    }

    /** Bytes that may still be written; at least zero. */
    long usableSpace(Path path) throws IOException;

    /** Bytes of the whole disk, used and free. */
    long totalSpace(Path path) throws IOException;

    /**
     * What tells a directory from any other that may come to bear its name.
     *
     * @throws NoSuchFileException when there is none
     */
    default Object identity(Path directory) throws IOException {
        if (!isDirectory(directory)) {
            throw new NoSuchFileException(directory.toString());
        }
        return directory;
    }
}
