package io.penstock.storage.store;

import io.penstock.storage.CorruptRecordException;
import io.penstock.storage.FrozenMessages;
import io.penstock.storage.StorageException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The messages of a stream in segment files of one directory: {@code <number>.seg} with the records, {@code <number>.idx}
 * beside each sealed one, {@code manifest} and {@code manifest.copy}. Owned by the loop.
 */
final class FileStreamStore extends BlockStore {
    /** Bytes the disk may refuse before appending fails; the log should have stopped long before. */
    private static final int MAX_UNFLUSHED = 64 << 20;

    /** Where the store's directory is kept. */
    interface Home {
        /** The store has a checkpoint on disk. Any thread. */
        void checkpointed(FileStreamStore store);

        /** The store gives up its directory, which stays. */
        void closed(FileStreamStore store);

        /** The store gives up its directory, which goes. */
        void discard(FileStreamStore store) throws IOException;
    }

    final StoreContext context;
    final Path directory;
    final String account;
    final String stream;
    final long incarnation;
    final Home home;

    /** The segment written to, null before the first record. */
    private FileBlock active;

    private int flushAt;
    private long nextBlock = 1;
    private long generation;
    private boolean closed;

    /** Files of segments that are gone, to be deleted once a checkpoint without them is durable. */
    private List<Path> gone = new ArrayList<>();

    /** How many frozen states are being read. */
    private int readers;

    /** Files that are gone but for those who read a frozen state. */
    private final List<Path> kept = new ArrayList<>();

    /** Sequences erased while frozen states are read, for those who read them. Read by other threads. */
    final Set<Long> erasedWhileRead = ConcurrentHashMap.newKeySet();

    /** Compressed files to be overwritten before they go: they held what was erased. Read by other threads. */
    final Set<Path> shredding = ConcurrentHashMap.newKeySet();

    /** Whether segments are compressed once they are sealed. */
    private boolean compresses;

    /** More segments are to be compressed than the checkpoint under way could take. */
    private boolean packingLeft;

    private FileCheckpoint checkpoint;
    private byte[] attachment = {};

    /** Written by the thread that writes checkpoints. */
    volatile long checkpointIndex;

    /** Set by {@link #delete} and {@link #close}, seen by a checkpoint on its way. */
    volatile boolean deleted;

    /** Held while a checkpoint is written. */
    final Object writing = new Object();

    FileStreamStore(StoreContext context, Path directory, String account, String stream, long incarnation, Home home) {
        super(context.options.listedMessages());
        this.context = context;
        this.directory = directory;
        this.account = account;
        this.stream = stream;
        this.incarnation = incarnation;
        this.home = home;
        this.flushAt = context.options.flushBytes();
    }

    /** Takes over what a manifest says; the files behind it are opened when they are asked for. */
    void restore(Manifest manifest, boolean heal) throws IOException {
        generation = manifest.generation();
        nextBlock = manifest.nextBlock();
        attachment = manifest.attachment();
        checkpointIndex = manifest.appliedIndex();
        last = manifest.lastSequence();
        lastTimestamp = manifest.lastTimestamp();
        boolean rebuilt = false;
        for (Manifest.BlockEntry entry : manifest.blocks()) {
            FileBlock block = BlockLoader.restore(this, entry);
            blocks.add(block);
            messages += block.live;
            bytes += block.liveBytes;
            context.usedBytes.add(block.fileBytes());
            rebuilt |= block.erasing;
            rebuilt |= BlockLoader.load(this, block, entry.index());
            countSubjects(block);
            if (block.sealed && block.indexed) {
                context.indexes.add(block);
            }
            if (!block.sealed) {
                active = block;
            }
        }
        first = messages == 0 ? last + 1 : search.nextLive(0);
        if (heal || rebuilt) {
            touch();
        }
    }

    private void countSubjects(FileBlock block) {
        for (int i = block.nextLive(0); i < block.count; i = block.nextLive(i + 1)) {
            Subject subject = block.subjects[i];
            if (subject != null) {
                subject.add(block.sequenceAt(i));
            }
        }
    }

    /** Brings the index of a sealed block back into memory. */
    void loadIndex(FileBlock block) {
        try {
            if (BlockLoader.load(this, block, new byte[0])) {
                touch();
            } else {
                context.indexes.add(block);
            }
        } catch (IOException e) {
            throw new StorageException("cannot read " + block.indexPath + ": " + e.getMessage(), e);
        }
    }

    @Override
    public long sizeOf(int subjectLength, int headersLength, int payloadLength) {
        return (long) FileBlock.MESSAGE_OVERHEAD
                + subjectLength
                + payloadLength
                + (headersLength > 0 ? FileBlock.HEADERS_OVERHEAD + headersLength : 0);
    }

    @Override
    Block blockFor(long sequence, int subjectLength, int bodyLength) {
        if (subjectLength > RecordFormat.MAX_SUBJECT) {
            throw new IllegalArgumentException(
                    "subject of " + subjectLength + " bytes; the most is " + RecordFormat.MAX_SUBJECT);
        }
        int size = RecordFormat.length(subjectLength, 0, bodyLength);
        if (active != null
                && active.count > 0
                && (active.length + (long) size > context.options.segmentBytes()
                        || sequence - active.base >= Block.MAX_SPAN)) {
            seal();
        }
        if (active == null) {
            active = new FileBlock(this, context, directory, nextBlock++, sequence, false);
            active.begin(incarnation);
            active.lastTimestamp = lastTimestamp;
            context.usedBytes.add(active.length);
            blocks.add(active);
        }
        return active;
    }

    private void seal() {
        FileBlock sealing = active;
        sealing.flush();
        sealing.sealed = true;
        active = null;
        if (sealing.live == 0) {
            blocks.remove(sealing);
            dropped(sealing);
        } else if (sealing.unflushed() == 0) {
            sealing.tail = null;
        }
    }

    @Override
    boolean takesMore(Block block) {
        return block == active;
    }

    @Override
    void keep(
            Block block,
            long sequence,
            long timestampNanos,
            Subject subject,
            byte[] source,
            int headersOffset,
            int headersLength,
            int payloadOffset,
            int payloadLength) {
        FileBlock target = (FileBlock) block;
        if (target.unflushed() > MAX_UNFLUSHED) {
            throw new StorageException("the disk has taken nothing of " + target.path + " for " + MAX_UNFLUSHED
                    + " bytes; make room or check it");
        }
        int before = target.length;
        target.put(
                sequence, timestampNanos, subject, source, headersOffset, headersLength, payloadOffset, payloadLength);
        context.usedBytes.add(target.length - before);
        if (target.unflushed() >= flushAt) {
            flushAt = target.flush() ? context.options.flushBytes() : target.unflushed() + context.options.flushBytes();
        }
    }

    @Override
    void dropped(Block block) {
        FileBlock dropping = (FileBlock) block;
        if (dropping == active) {
            active = null;
        }
        context.windows.invalidate(dropping);
        context.indexes.remove(dropping);
        context.handles.close(dropping.path);
        context.usedBytes.add(-dropping.fileBytes());
        if (dropping.erasing) {
            shredding.add(dropping.path);
        }
        List<Path> files = readers > 0 ? kept : gone;
        files.add(dropping.path);
        files.add(dropping.indexPath);
    }

    @Override
    public FrozenMessages freeze() {
        for (Block block : blocks) {
            FileBlock file = (FileBlock) block;
            if (!file.flush()) {
                throw new StorageException("cannot write " + file.path + " to read it");
            }
        }
        readers++;
        return new FrozenFiles(this, blocks);
    }

    /** A frozen state is not read any more. */
    void release() {
        if (--readers > 0) {
            return;
        }
        erasedWhileRead.clear();
        if (!kept.isEmpty()) {
            gone.addAll(kept);
            kept.clear();
            touch();
        }
    }

    /** A message was erased: whoever reads a frozen state leaves it out, whichever file the state has it in. */
    void noteErased(long sequence) {
        if (readers > 0) {
            erasedWhileRead.add(sequence);
        }
    }

    @Override
    public void compress(boolean wanted) {
        if (compresses != wanted) {
            compresses = wanted;
            if (Packing.isDue(this)) {
                touch();
            }
        }
    }

    boolean compresses() {
        return compresses;
    }

    @Override
    public long checkpointIndex() {
        return checkpointIndex;
    }

    @Override
    public byte[] checkpointAttachment() {
        return attachment;
    }

    @Override
    public boolean dirty() {
        return super.dirty() || packingLeft || (checkpoint != null && (checkpoint.unfinished() || checkpoint.packed()));
    }

    @Override
    public Checkpoint beginCheckpoint(long appliedIndex, byte[] newAttachment) {
        settleCheckpoint();
        FileCheckpoint next = new FileCheckpoint(this, ++generation);
        for (Block block : blocks) {
            FileBlock file = (FileBlock) block;
            if (!file.flush()) {
                throw new StorageException("cannot write " + file.path + " for a checkpoint");
            }
            next.freeze(file);
        }
        List<Compaction> compactions = Compaction.choose(this);
        Packing packing = Packing.choose(this, compactions);
        next.compactions(compactions);
        next.packings(packing.chosen());
        packingLeft = packing.more();
        next.begin(appliedIndex, newAttachment, nextBlock, gone);
        attachment = newAttachment;
        gone = new ArrayList<>();
        checkpoint = next;
        clean();
        return next;
    }

    /** Takes the outcome of the checkpoint before: what it made durable, or what is to be done again. */
    private void settleCheckpoint() {
        if (checkpoint == null) {
            return;
        }
        FileCheckpoint done = checkpoint;
        checkpoint = null;
        done.settle();
    }

    void replaceBlocks(List<FileBlock> old, FileBlock replacement) {
        int at = blocks.indexOf(old.getFirst());
        blocks.subList(at, at + old.size()).clear();
        context.usedBytes.add(replacement.fileBytes());
        if (replacement.live > 0) {
            blocks.add(at, replacement);
            context.indexes.add(replacement);
        } else {
            dropped(replacement);
        }
        old.forEach(this::dropped);
        touch();
    }

    long takeBlockNumber() {
        return nextBlock++;
    }

    void addGone(List<Path> files) {
        gone.addAll(files);
    }

    /** Reads every message and verifies it; damage is reported to the listener. Answers how many are damaged. */
    long verify() {
        long damaged = 0;
        for (Block block : List.copyOf(blocks)) {
            FileBlock file = (FileBlock) block;
            file.flush();
            file.require();
            for (int i = file.nextLive(0); i < file.count; i = file.nextLive(i + 1)) {
                if (file.tail == null || !file.tail.holds(file.positions[i] >>> 1)) {
                    try {
                        file.readSound(i);
                    } catch (CorruptRecordException e) {
                        damaged++;
                    }
                }
            }
        }
        return damaged;
    }

    /** Reads a whole file; null when it is missing. */
    static byte[] readFile(StoreContext context, Path path) throws IOException {
        if (!context.disk.exists(path)) {
            return null;
        }
        try (var file = context.disk.openRead(path)) {
            byte[] bytes = new byte[Math.toIntExact(file.size())];
            file.readFully(ByteBuffer.wrap(bytes), 0);
            return bytes;
        }
    }

    @Override
    public void delete() {
        if (closed) {
            return;
        }
        deleted = true;
        releaseBlocks();
        try {
            home.discard(this);
        } catch (IOException e) {
            throw new StorageException("cannot delete " + directory + ": " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        if (!closed) {
            for (Block block : blocks) {
                ((FileBlock) block).flush();
            }
            deleted = true;
            synchronized (writing) {
                // Whoever opens the directory next must not meet a checkpoint of before.
                releaseBlocks();
            }
            home.closed(this);
        }
    }

    private void releaseBlocks() {
        closed = true;
        for (Block block : blocks) {
            FileBlock file = (FileBlock) block;
            context.windows.invalidate(file);
            context.indexes.remove(file);
            context.handles.close(file.path);
            context.usedBytes.add(-file.fileBytes());
        }
    }
}
