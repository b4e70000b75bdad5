package io.penstock.storage.store;

import io.penstock.storage.StorageException;
import io.penstock.storage.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Copies the live records of neighbouring sparse segments into a new one. Chosen and settled on the loop; the copy is
 * made by the thread that writes the checkpoint. What is deleted meanwhile is marked when it is settled.
 */
final class Compaction {
    /** Segments looked at in one checkpoint that become one. */
    private static final int MOST_SOURCES = 16;

    /** Room that is left to others when a copy is made to save room. */
    private static final long SPARE_BYTES = 256L << 20;

    private record Source(
            FileBlock block, int count, long[] deleted, Subject[] subjects, int[] positions, int[] deltas) {
        boolean live(int ordinal) {
            return deleted == null || (deleted[ordinal >>> 6] & (1L << ordinal)) == 0;
        }

        int position(int ordinal) {
            return positions[ordinal] >>> 1;
        }

        long sequence(int ordinal) {
            return block.base + (deltas == null ? ordinal : deltas[ordinal]);
        }

        /** The time of a record, which may be damaged: then a time of its segment. */
        long time(byte[] bytes, int at) {
            long time = RecordFormat.timestamp(bytes, at);
            return time < block.firstTimestamp || time > block.lastTimestamp ? block.lastTimestamp : time;
        }

        int recordLength(int ordinal, int end) {
            return (ordinal + 1 < count ? position(ordinal + 1) : end) - position(ordinal);
        }
    }

    private final FileStreamStore store;
    private final List<Source> sources;
    private final FileBlock target;
    private boolean copied;

    /** The disk refused the copy. */
    private boolean refused;

    private Compaction(FileStreamStore store, List<Source> sources, FileBlock target) {
        this.store = store;
        this.sources = sources;
        this.target = target;
    }

    /** At most one run of neighbours that is worth it: sparse ones, and small ones beside each other. */
    static List<Compaction> choose(FileStreamStore store) {
        int segmentBytes = store.context.options.segmentBytes();
        List<FileBlock> run = new ArrayList<>();
        long liveBytes = 0;
        boolean sparse = false;
        for (Block block : store.blocks) {
            FileBlock file = (FileBlock) block;
            long live = liveFileBytes(file);
            boolean candidate =
                    file.sealed && file.indexed && (live * 2 < file.length || file.length < segmentBytes / 4);
            boolean fits = liveBytes + live <= segmentBytes
                    && run.size() < MOST_SOURCES
                    && (run.isEmpty() || file.last - run.getFirst().base < Block.MAX_SPAN);
            if (candidate && fits) {
                run.add(file);
                liveBytes += live;
                sparse |= live * 2 < file.length;
                continue;
            }
            if (sparse || run.size() > 1) {
                break;
            }
            run.clear();
            liveBytes = 0;
            sparse = false;
        }
        return sparse || run.size() > 1 ? List.of(of(store, run)) : List.of();
    }

    /** Bytes of the file that live records take, near enough: their headers are what the accounting leaves out. */
    private static long liveFileBytes(FileBlock block) {
        return block.liveBytes + 2L * block.live;
    }

    /** A copy of these neighbours, compressed when the stream is. */
    static Compaction of(FileStreamStore store, List<FileBlock> run) {
        List<Source> sources = new ArrayList<>();
        FileBlock target = new FileBlock(
                store,
                store.context,
                store.directory,
                store.takeBlockNumber(),
                run.getFirst().base,
                store.compresses());
        for (FileBlock block : run) {
            block.require();
            block.erasedMeanwhile = new LongList();
            if (block.deleted != null) {
                block.deletedShared = true;
            }
            sources.add(new Source(block, block.count, block.deleted, block.subjects, block.positions, block.deltas));
        }
        return new Compaction(store, sources, target);
    }

    /** The checkpoint's thread: makes the new segment and its index, durable. */
    void run() throws IOException {
        try (DiskFile file = store.context.disk.open(target.path)) {
            SegmentOutput out = output(file);
            byte[] header = RecordFormat.fileHeader(store.incarnation, target.id);
            out.write(header, header.length);
            target.length = header.length;
            for (Source source : sources) {
                try (DiskFile in = SegmentFiles.openRead(store.context, source.block.path)) {
                    copy(source, in, out);
                }
            }
            int bytes = out.finish();
            target.packedBytes = target.packed ? bytes : 0;
        }
        byte[] index = BlockIndex.encode(
                store.incarnation, target.id, target.count, target.subjects, target.positions, target.deltas);
        try (DiskFile file = store.context.disk.open(target.indexPath)) {
            file.truncate(0);
            file.writeFully(ByteBuffer.wrap(index), 0);
            file.force();
        }
        target.flushed = target.length;
        target.sealed = true;
        target.indexed = true;
        copied = true;
    }

    private SegmentOutput output(DiskFile file) throws IOException {
        return target.packed
                ? new PackedOutput(file, store.incarnation, target.id, store.context.options.blockBytes())
                : SegmentOutput.plain(file);
    }

    /** Whether the copy is there. */
    boolean copied() {
        return copied;
    }

    /** Whether the copy is there, and compressed. */
    boolean packed() {
        return copied && target.packed;
    }

    /** The checkpoint's thread: makes the copy, unless the disk refuses; then all stays as it is. */
    void tryRun() {
        long needed = sources.stream().mapToLong(source -> source.block.length).sum();
        try {
            if (store.context.disk.usableSpace(store.directory) >= needed + SPARE_BYTES) {
                run();
            }
        } catch (IOException | RuntimeException e) {
            refused = true;
            store.context.events.writeFailed(target.path.toString(), e);
        }
    }

    List<FileBlock> blocks() {
        return sources.stream().map(Source::block).toList();
    }

    /** Copies runs of live records as they are; a damaged one stays damaged and is reported when it is read. */
    private void copy(Source source, DiskFile in, SegmentOutput out) throws IOException {
        byte[] buffer = new byte[256 << 10];
        int ordinal = 0;
        while (ordinal < source.count) {
            if (!source.live(ordinal)) {
                ordinal++;
                continue;
            }
            int start = source.position(ordinal);
            int end = start;
            int lastStart = start;
            int firstOfPiece = target.count;
            while (ordinal < source.count && source.live(ordinal) && end - start < buffer.length) {
                int size = source.recordLength(ordinal, source.block.length);
                note(source, ordinal, target.length + end - start, size);
                lastStart = end;
                end += size;
                ordinal++;
            }
            if (buffer.length < end - start) {
                buffer = new byte[end - start];
            }
            ByteBuffer piece = ByteBuffer.wrap(buffer, 0, end - start);
            int read = in.readUpTo(piece, start);
            Arrays.fill(buffer, read, end - start, (byte) 0);
            out.write(buffer, end - start);
            if (firstOfPiece == 0) {
                target.firstTimestamp = source.time(buffer, 0);
            }
            target.lastTimestamp = source.time(buffer, lastStart - start);
            target.length += end - start;
        }
    }

    private void note(Source source, int ordinal, int position, int size) {
        boolean headers = (source.positions[ordinal] & 1) != 0;
        if (target.count == target.positions.length) {
            target.positions = Arrays.copyOf(target.positions, target.count * 2);
        }
        target.positions[target.count] = position << 1 | (headers ? 1 : 0);
        target.add(
                source.sequence(ordinal),
                source.block.lastTimestamp,
                source.subjects[ordinal],
                FileBlock.sizeOf(size, headers));
    }

    List<Path> files() {
        return List.of(target.path, target.indexPath);
    }

    /** Whether the very blocks that were copied are still there, side by side. */
    private boolean inPlace(int at) {
        if (!copied || at < 0 || at + sources.size() > store.blocks.size()) {
            return false;
        }
        for (int i = 0; i < sources.size(); i++) {
            if (store.blocks.get(at + i) != sources.get(i).block) {
                return false;
            }
        }
        return true;
    }

    /** Loop: puts the new segment in the place of the old ones, unless they have gone meanwhile. */
    void settle() {
        List<FileBlock> old = blocks();
        int at = store.blocks.indexOf(old.getFirst());
        if (!inPlace(at)) {
            giveUp();
            store.addGone(files());
            return;
        }
        try {
            sources.forEach(this::eraseSince);
        } catch (StorageException e) {
            // The segments stay as they are, and are chosen again.
            store.context.events.writeFailed(target.path.toString(), e);
            giveUp();
            store.addGone(files());
            return;
        }
        sources.forEach(this::markDeletedSince);
        giveUp();
        store.replaceBlocks(old, target);
    }

    /** Loop: the blocks are not copied any more. */
    void giveUp() {
        for (Source source : sources) {
            source.block.erasedMeanwhile = null;
            source.block.packFailures += refused ? 1 : 0;
        }
    }

    /** What was erased while the copy was made is in it. */
    private void eraseSince(Source source) {
        LongList erased = source.block.erasedMeanwhile;
        for (int i = 0; i < erased.size(); i++) {
            target.erase(target.liveOrdinal(source.sequence((int) erased.get(i))));
        }
    }

    private void markDeletedSince(Source source) {
        for (int i = 0; i < source.count; i++) {
            if (source.live(i) && !source.block.isLive(i)) {
                int ordinal = target.liveOrdinal(source.sequence(i));
                target.markDeleted(ordinal, target.sizeAt(ordinal));
            }
        }
    }
}
