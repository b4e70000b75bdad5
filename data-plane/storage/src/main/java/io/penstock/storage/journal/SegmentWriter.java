package io.penstock.storage.journal;

import io.penstock.storage.disk.Disk;
import io.penstock.storage.disk.DiskFile;
import io.penstock.storage.journal.Frame.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.zip.CRC32C;

/**
 * Puts frames into the newest segment through one large buffer. Owned by the journal's thread.
 *
 * <p>What was written since {@link #begin} can be taken back with {@link #rollback}, which is how a full disk leaves
 * nothing half written behind.
 */
final class SegmentWriter {
    static final byte[] FORMAT = "penstock journal 1".getBytes(StandardCharsets.US_ASCII);
    private static final int BUFFER_BYTES = 1 << 20;

    /** The next segment is prepared once this part of the present one is full. */
    private static final int PREPARE_PART = 4;

    private final Disk disk;
    private final Path directory;
    private final JournalOptions options;
    private final CRC32C crc = new CRC32C();
    private final ByteBuffer buffer = Frame.buffer(BUFFER_BYTES);
    private final ArrayDeque<Path> spares;

    /** Null when no segments are prepared. */
    private final SparePreparer preparer;

    private Segment current;

    /** Where the buffer's first byte goes. */
    private long written;

    /** Bytes of the current segment that are on disk. */
    private long synced;

    private long batchStart;

    SegmentWriter(Disk disk, Path directory, JournalOptions options, Segment current, ArrayDeque<Path> spares) {
        this.disk = disk;
        this.directory = directory;
        this.options = options;
        this.current = current;
        this.spares = spares;
        boolean prepares = options.prepared() && options.sync() == SyncPolicy.ALWAYS && disk.reusesSpace();
        this.preparer = prepares ? new SparePreparer(disk, directory, options.segmentBytes()) : null;
        this.written = current == null ? 0 : current.end;
        this.synced = written;
        this.batchStart = written;
    }

    Segment current() {
        return current;
    }

    void begin() {
        batchStart = position();
    }

    private long position() {
        return written + buffer.position();
    }

    boolean dirty() {
        return current != null && position() > synced;
    }

    /** Whether a frame of this size needs a new segment. */
    boolean full(int size) {
        return current == null || (position() + size > options.segmentBytes() && position() > firstFrames);
    }

    /** Where the OPEN and STATE frames of the current segment end. */
    private long firstFrames;

    /** Puts a frame and notes where. */
    void put(Append append) throws IOException {
        if (buffer.remaining() < Frame.HEADER) {
            flush();
        }
        append.location = current.number << 32 | position();
        Frame.putHeader(buffer, current.number, (int) synced, append, crc);
        int offset = append.offset;
        int end = append.offset + append.length;
        while (offset < end) {
            int chunk = Math.min(buffer.remaining(), end - offset);
            buffer.put(append.payload, offset, chunk);
            offset += chunk;
            if (!buffer.hasRemaining()) {
                flush();
            }
        }
    }

    /** Hands everything to the operating system. */
    void flush() throws IOException {
        buffer.flip();
        int length = buffer.limit();
        try {
            current.file.writeFully(buffer, written);
        } finally {
            buffer.clear();
        }
        written += length;
        current.end = written;
    }

    void force() throws IOException {
        current.file.force();
        synced = written;
    }

    /** Removes what was put since {@link #begin}; when this fails the journal must stop. */
    void rollback() throws IOException {
        buffer.clear();
        written = batchStart;
        if (current == null) {
            return;
        }
        current.end = written;
        current.file.truncate(written);
        current.file.force();
        synced = written;
    }

    /** Starts the next segment; the present one must be flushed and forced. Nothing has changed when this fails. */
    Segment roll(Collection<GroupState> groups) throws IOException {
        long number = current == null ? 1 : current.number + 1;
        Path path = directory.resolve(Segment.name(number));
        Path opening = directory.resolve(Segment.openingName(number));
        Path spare = spares.poll();
        if (spare == null && preparer != null) {
            spare = preparer.take();
        }
        if (spare != null) {
            disk.rename(spare, opening);
        }
        DiskFile file = disk.open(opening);
        Segment next = new Segment(number, path, file);
        Segment before = current;
        long beforeWritten = written;
        long beforeSynced = synced;
        current = next;
        written = 0;
        synced = 0;
        try {
            long beforeEnd = before == null ? 0 : before.end;
            put(Append.control(Kind.OPEN, Frame.NO_GROUP, beforeEnd, before == null ? 0 : before.number, FORMAT, null));
            for (GroupState group : groups) {
                put(group.toFrame());
            }
            // The name first: were a spare written before its new name is durable, its old name could come back with
            // it.
            disk.forceDirectory(directory);
            flush();
            force();
            // A segment that has its name has its first frames, too: without them it is damaged.
            disk.rename(opening, path);
            disk.forceDirectory(directory);
        } catch (IOException e) {
            buffer.clear();
            current = before;
            written = beforeWritten;
            synced = beforeSynced;
            file.close();
            disk.delete(disk.exists(opening) ? opening : path);
            throw e;
        }
        firstFrames = written;
        batchStart = written;
        return next;
    }

    /** Puts a segment that nobody needs aside for use again, or deletes it. */
    void retire(Segment segment) throws IOException {
        segment.file.close();
        if (disk.reusesSpace()
                && spares.size() < options.spareSegments()
                && segment.end >= options.segmentBytes() / 2) {
            Path spare = directory.resolve(Segment.spareName(segment.number));
            disk.rename(segment.path, spare);
            spares.add(spare);
        } else {
            disk.delete(segment.path);
        }
    }

    /** Has a file made for the next segment when it will soon be needed and there is none. */
    void prepare() {
        if (preparer != null && spares.isEmpty() && written > options.segmentBytes() / PREPARE_PART) {
            preparer.want(current.number + 1);
        }
    }

    void close() {
        if (preparer != null) {
            preparer.close();
        }
    }

    /** Cuts what a recycled file still holds of its former life, which spares the next start looking through it. */
    void trim() throws IOException {
        current.file.truncate(written);
    }

    void mark() throws IOException {
        put(Append.control(Kind.MARK, Frame.NO_GROUP, 0, 0, Append.EMPTY, null));
        flush();
    }
}
