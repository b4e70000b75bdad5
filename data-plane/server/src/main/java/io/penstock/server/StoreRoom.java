package io.penstock.server;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/** How much of a disk file streams may use where no limit is set. */
final class StoreRoom {
    /** The part of what there is that streams may use. */
    static final double SHARE = 0.75;

    private StoreRoom() {}

    /**
     * The share of the room there is for a store directory: of what is free, and of what the store itself holds already.
     * Were that left out, each restart of a node that is well filled would lower its limit, below what it stores in the end.
     */
    static long share(Path directory) {
        Path existing = directory.toAbsolutePath();
        while (existing.getParent() != null && !Files.exists(existing)) {
            existing = existing.getParent();
        }
        return (long) ((existing.toFile().getUsableSpace() + held(directory)) * SHARE);
    }

    /** Bytes in all files below a directory; 0 when there is none. */
    private static long held(Path directory) {
        if (!Files.isDirectory(directory)) {
            return 0;
        }
        long[] bytes = {0};
        try {
            Files.walkFileTree(directory, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    bytes[0] += attributes.size();
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException failure) {
                    // What cannot be looked at does not count.
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            return bytes[0];
        }
        return bytes[0];
    }
}
