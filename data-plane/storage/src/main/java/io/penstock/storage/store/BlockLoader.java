package io.penstock.storage.store;

import io.penstock.storage.disk.DiskFile;
import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;

/** Brings blocks back from a manifest and their index files. */
final class BlockLoader {
    private BlockLoader() {}

    /** A block as the manifest has it, without its index; the open segment's file is cut to its length. */
    static FileBlock restore(FileStreamStore store, Manifest.BlockEntry entry) throws IOException {
        StoreContext context = store.context;
        FileBlock block = new FileBlock(store, context, store.directory, entry.id(), entry.base(), entry.isPacked());
        block.last = entry.last();
        block.count = entry.count();
        block.length = entry.length();
        block.flushed = entry.length();
        block.packedBytes = entry.packed();
        block.erasing = entry.erasing();
        block.live = entry.live();
        block.liveBytes = entry.liveBytes();
        block.firstTimestamp = entry.firstTimestamp();
        block.lastTimestamp = entry.lastTimestamp();
        block.sealed = entry.sealed();
        block.indexed = entry.sealed();
        block.deleted = entry.deleted();
        block.dropIndex();
        if (!context.disk.exists(block.path)) {
            context.events.damaged(block.path.toString(), 0, "the file is missing; " + block.live + " messages");
            block.sealed = true;
        } else if (!block.sealed) {
            reopen(context, block);
        }
        return block;
    }

    private static void reopen(StoreContext context, FileBlock block) throws IOException {
        DiskFile file;
        try {
            file = context.handles.get(block.path, false);
        } catch (EOFException e) {
            context.events.damaged(block.path.toString(), 0, e.getMessage());
            block.sealed = true;
            return;
        }
        long size = file.size();
        if (size < block.length) {
            context.events.damaged(block.path.toString(), size, "the file ends early; it should have " + block.length);
            block.sealed = true;
            return;
        }
        if (size > block.length) {
            // What is behind came after the checkpoint: the log has it and will bring it again.
            file.truncate(block.length);
        }
        block.tail = new TailBuffer(context.options.tailBytes(), block.length);
    }

    /**
     * Fills in subjects, positions and sequences, from the index or, when that is damaged, from the records. Answers
     * whether the index had to be made anew, so that it must be written again.
     */
    static boolean load(FileStreamStore store, FileBlock block, byte[] embedded) throws IOException {
        boolean fromFile = embedded.length == 0;
        byte[] bytes = fromFile ? FileStreamStore.readFile(store.context, block.indexPath) : embedded;
        BlockIndex index = bytes == null ? null : BlockIndex.decode(bytes, store.incarnation, block.id, block.count);
        boolean rebuilt = index == null;
        if (rebuilt) {
            store.context.events.damaged(
                    block.indexPath.toString(), 0, "the index cannot be read; made anew from the records");
            index = BlockScan.scan(store, block);
            block.indexed = false;
        } else if (!fromFile && block.sealed) {
            block.indexed = false;
        }
        Subject[] named = new Subject[index.names().length];
        for (int i = 0; i < named.length; i++) {
            // Not added to the stream's subjects before a message that is held is found.
            named[i] = store.subjects.get(index.names()[i]);
        }
        Subject[] subjects = new Subject[Math.max(16, block.count)];
        for (int i = 0; i < block.count; i++) {
            int number = index.subjectOf()[i];
            if (number < 0) {
                continue;
            }
            if (named[number] == null) {
                named[number] = block.isLive(i) ? store.subjects.getOrAdd(index.names()[number]) : null;
            }
            subjects[i] = named[number];
        }
        block.subjects = subjects;
        block.positions = Arrays.copyOf(index.positions(), subjects.length);
        block.deltas = index.deltas() == null ? null : Arrays.copyOf(index.deltas(), subjects.length);
        return rebuilt;
    }
}
