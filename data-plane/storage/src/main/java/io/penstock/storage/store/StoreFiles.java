package io.penstock.storage.store;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

/** Knows which files in a store's directory are its own. */
final class StoreFiles {
    private StoreFiles() {}

    /** Removes segments and temporary files that the manifest does not speak of; others are left alone. */
    static void removeLeftovers(StoreContext context, Path directory, Manifest manifest) throws IOException {
        Set<String> known = new HashSet<>();
        known.add(Manifest.NAME);
        known.add(Manifest.COPY);
        for (Manifest.BlockEntry block : manifest.blocks()) {
            known.add(block.segmentName());
            known.add(FileBlock.indexName(block.id()));
        }
        for (String name : context.disk.list(directory)) {
            if (!known.contains(name)) {
                removeLeftover(context, directory.resolve(name));
            }
        }
    }

    /** Removes a file that only a checkpoint that never came about would have made known. */
    static void removeLeftover(StoreContext context, Path path) throws IOException {
        String name = path.getFileName().toString();
        boolean ours = SegmentFiles.isOne(name)
                || name.equals(Manifest.NAME + Manifest.TEMPORARY)
                || name.equals(Manifest.COPY + Manifest.TEMPORARY);
        if (ours && !context.disk.isDirectory(path)) {
            context.disk.delete(path);
        } else {
            context.events.unknown(path.toString(), "not a file of the store; left alone");
        }
    }

    static void deleteTree(StoreContext context, Path directory) throws IOException {
        if (!context.disk.isDirectory(directory)) {
            return;
        }
        for (String name : context.disk.list(directory)) {
            Path path = directory.resolve(name);
            if (context.disk.isDirectory(path)) {
                deleteTree(context, path);
            } else {
                context.disk.delete(path);
            }
        }
        context.disk.delete(directory);
    }
}
