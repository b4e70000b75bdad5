package io.penstock.jetstream.backup;

import io.penstock.broker.internal.EventIds;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The files that archives are gathered in. No name in them comes from a client. */
public final class Staging {
    private static final Logger LOG = LoggerFactory.getLogger(Staging.class);
    private static final String DIRECTORY = "restore";
    private static final String SUFFIX = ".part";

    private Staging() {}

    /** Removes what an earlier process left. */
    public static void clear(Path storeDirectory) {
        Path directory = storeDirectory.resolve(DIRECTORY);
        if (!Files.isDirectory(directory)) {
            return;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*" + SUFFIX)) {
            for (Path file : files) {
                Files.delete(file);
            }
        } catch (IOException e) {
            LOG.warn("cannot remove what is left of restores in {}: {}", directory, e.toString());
        }
    }

    static Path create(Path storeDirectory) throws IOException {
        Path directory = Files.createDirectories(storeDirectory.resolve(DIRECTORY));
        return Files.createFile(directory.resolve(EventIds.next() + SUFFIX));
    }

    static OutputStream open(Path file) throws IOException {
        return Files.newOutputStream(file, StandardOpenOption.WRITE);
    }

    static void remove(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            LOG.warn("cannot remove {}; the next start does: {}", file, e.toString());
        }
    }
}
