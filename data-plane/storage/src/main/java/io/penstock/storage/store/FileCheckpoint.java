package io.penstock.storage.store;

import io.penstock.storage.StreamStore;
import io.penstock.storage.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A frozen state of a file store on its way to the disk. Filled on the loop, written by one other thread, settled on the
 * loop.
 */
final class FileCheckpoint implements StreamStore.Checkpoint {
    /** How far it has got. */
    private enum Progress {
        /** Not written yet, or being written. */
        PENDING,
        /** Durable. */
        DONE,
        /** Given up; the next one does it again. */
        FAILED
    }

    private record Frozen(
            FileBlock block, Manifest.BlockEntry entry, Subject[] subjects, int[] positions, int[] deltas) {}

    private final FileStreamStore store;
    private final StoreContext context;
    private final long generation;
    private final List<Frozen> frozen = new ArrayList<>();
    private final List<FileBlock> forcing = new ArrayList<>();
    private List<Compaction> compactions = List.of();
    private List<Compaction> packings = List.of();
    private List<Path> gone = List.of();
    private long appliedIndex;
    private byte[] attachment = {};
    private long lastSequence;
    private long lastTimestamp;
    private long nextBlock;

    /** Index files written by this checkpoint. Handed over with progress. */
    private final List<FileBlock> indexed = new ArrayList<>();

    private volatile Progress progress = Progress.PENDING;

    FileCheckpoint(FileStreamStore store, long generation) {
        this.store = store;
        this.context = store.context;
        this.generation = generation;
    }

    /** Loop: takes a block as it is now. */
    void freeze(FileBlock block) {
        if (block.unforced) {
            block.unforced = false;
            forcing.add(block);
        }
        if (block.deleted != null) {
            block.deletedShared = true;
        }
        if (block.sealed && block.tail != null) {
            block.tail = null;
        }
        Manifest.BlockEntry entry = new Manifest.BlockEntry(
                block.id,
                block.base,
                block.last,
                block.count,
                block.length,
                block.live,
                block.liveBytes,
                block.firstTimestamp,
                block.lastTimestamp,
                block.sealed,
                block.packedBytes,
                block.erasing,
                block.deleted,
                new byte[0]);
        boolean needsIndex = !block.indexed;
        frozen.add(new Frozen(
                block,
                entry,
                needsIndex ? block.subjects : null,
                needsIndex ? block.positions : null,
                needsIndex ? block.deltas : null));
    }

    void compactions(List<Compaction> chosen) {
        compactions = chosen;
    }

    /** Loop: copies to be made once the state is durable; it does not depend on them. */
    void packings(List<Compaction> chosen) {
        packings = chosen;
    }

    /** Whether it left copies behind that the next checkpoint is to make known, so that what they replace can go. */
    boolean packed() {
        return progress == Progress.DONE
                && (packings.stream().anyMatch(Compaction::copied)
                        || compactions.stream().anyMatch(Compaction::packed));
    }

    /** Loop: the rest of the state. */
    void begin(long index, byte[] stateMachine, long next, List<Path> goneFiles) {
        appliedIndex = index;
        attachment = stateMachine;
        nextBlock = next;
        gone = goneFiles;
        lastSequence = store.last;
        lastTimestamp = store.lastTimestamp;
    }

    boolean unfinished() {
        return progress == Progress.FAILED;
    }

    @Override
    public void write() throws IOException {
        synchronized (store.writing) {
            writeUnlessGone();
        }
    }

    private void writeUnlessGone() throws IOException {
        if (store.deleted) {
            return;
        }
        try {
            writeAll();
            progress = Progress.DONE;
        } catch (IOException | RuntimeException e) {
            progress = Progress.FAILED;
            if (!store.deleted) {
                throw e;
            }
        }
    }

    private void writeAll() throws IOException {
        for (FileBlock block : forcing) {
            // A file of its own: the loop may close its handle at any time.
            try (DiskFile file = context.disk.openRead(block.path)) {
                file.force();
            }
        }
        List<Manifest.BlockEntry> entries = new ArrayList<>();
        for (Frozen each : frozen) {
            entries.add(withIndex(each));
        }
        for (Compaction compaction : compactions) {
            compaction.run();
        }
        byte[] manifest = new Manifest(
                        generation,
                        store.incarnation,
                        store.account,
                        store.stream,
                        appliedIndex,
                        attachment,
                        lastSequence,
                        lastTimestamp,
                        nextBlock,
                        entries)
                .encode();
        writeForced(store.directory.resolve(Manifest.COPY + Manifest.TEMPORARY), manifest);
        writeForced(store.directory.resolve(Manifest.NAME + Manifest.TEMPORARY), manifest);
        rename(Manifest.COPY);
        rename(Manifest.NAME);
        context.disk.forceDirectory(store.directory);
        store.checkpointIndex = appliedIndex;
        store.home.checkpointed(store);
        for (Path path : gone) {
            if (context.disk.exists(path)) {
                if (store.shredding.contains(path)) {
                    shred(path);
                }
                context.disk.delete(path);
            }
            store.shredding.remove(path);
        }
        pack();
    }

    private void pack() throws IOException {
        for (Compaction packing : packings) {
            if (store.deleted) {
                return;
            }
            packing.tryRun();
        }
        if (!packings.isEmpty()) {
            context.disk.forceDirectory(store.directory);
        }
    }

    /** Overwrites a compressed segment that held what was erased. */
    private void shred(Path path) throws IOException {
        try (DiskFile file = context.disk.open(path)) {
            byte[] zeros = new byte[64 << 10];
            long size = file.size();
            for (long at = 0; at < size; at += zeros.length) {
                file.writeFully(ByteBuffer.wrap(zeros, 0, (int) Math.min(zeros.length, size - at)), at);
            }
            file.force();
        }
    }

    private Manifest.BlockEntry withIndex(Frozen each) throws IOException {
        Manifest.BlockEntry entry = each.entry;
        if (each.subjects == null) {
            return entry;
        }
        byte[] index = BlockIndex.encode(
                store.incarnation, entry.id(), entry.count(), each.subjects, each.positions, each.deltas);
        if (entry.sealed()) {
            writeForced(each.block.indexPath, index);
            indexed.add(each.block);
            return entry;
        }
        return entry.with(index);
    }

    private void writeForced(Path path, byte[] bytes) throws IOException {
        try (DiskFile file = context.disk.open(path)) {
            file.truncate(0);
            file.writeFully(ByteBuffer.wrap(bytes), 0);
            file.force();
        }
    }

    private void rename(String name) throws IOException {
        context.disk.rename(store.directory.resolve(name + Manifest.TEMPORARY), store.directory.resolve(name));
    }

    /** Loop, once {@link #write} has ended or will never run: takes over what it did. */
    void settle() {
        if (progress == Progress.DONE) {
            for (FileBlock block : indexed) {
                block.indexed = true;
                if (store.blocks.contains(block)) {
                    context.indexes.add(block);
                }
            }
            compactions.forEach(Compaction::settle);
            packings.forEach(Compaction::settle);
            return;
        }
        forcing.forEach(block -> block.unforced = true);
        store.addGone(gone);
        for (Compaction compaction : compactions) {
            compaction.giveUp();
            store.addGone(compaction.files());
        }
        for (Compaction packing : packings) {
            packing.giveUp();
            store.addGone(packing.files());
        }
    }
}
