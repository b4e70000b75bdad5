package io.penstock.storage.store;

import io.penstock.storage.CorruptRecordException;
import io.penstock.storage.StorageException;
import io.penstock.storage.StoredMessage;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.CRC32C;

/** A block whose records lie in a segment file. */
final class FileBlock extends Block {
    static final int MESSAGE_OVERHEAD = 30;
    static final int HEADERS_OVERHEAD = 4;

    /** Positions are kept with one bit beside them. */
    static final int MAX_LENGTH = 1 << 30;

    private final FileStreamStore store;
    private final StoreContext context;
    private final CRC32C crc = new CRC32C();
    final long id;
    final Path path;
    final Path indexPath;

    /** The newest bytes, written or not; null for a block that is not written to. */
    TailBuffer tail;

    /** Bytes of the segment, in the file or still in the tail. */
    int length;

    /** Bytes in the file. */
    int flushed;

    /** Position * 2 of each record, + 1 when it has headers; null when not in memory. */
    int[] positions;

    /** No more records come. */
    boolean sealed;

    /** The index file is durable. */
    boolean indexed;

    /** Bytes were written since a checkpoint forced the file. */
    boolean unforced;

    /** Where the last read from the file ended. */
    int lastReadEnd;

    /** The file is compressed; it is never written to. */
    final boolean packed;

    /** Bytes of the compressed file; 0 for a plain one. */
    int packedBytes;

    /** A message was erased that the compressed file still has: it is to be written anew. */
    boolean erasing;

    /** While a copy of the block is made, the ordinals erased meanwhile; null otherwise. */
    LongList erasedMeanwhile;

    /** How often a compressed copy could not be made. */
    int packFailures;

    /** Known to {@link IndexCache}. */
    boolean cached;

    boolean indexUsed;

    FileBlock(FileStreamStore store, StoreContext context, Path directory, long id, long base, boolean packed) {
        super(base);
        this.store = store;
        this.context = context;
        this.id = id;
        this.packed = packed;
        this.path = directory.resolve(SegmentFiles.name(id, packed));
        this.indexPath = directory.resolve(indexName(id));
        this.positions = new int[subjects.length];
    }

    static String indexName(long id) {
        return String.format("%012x", id) + SegmentFiles.INDEX;
    }

    /** The number in a name made by the above, -1 when it is another's. */
    static long idOf(String name, String suffix) {
        if (name.length() != 16 || !name.endsWith(suffix)) {
            return -1;
        }
        try {
            return Long.parseLong(name, 0, 12, 16);
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    void begin(long incarnation) {
        tail = new TailBuffer(context.options.tailBytes(), 0);
        byte[] header = RecordFormat.fileHeader(incarnation, id);
        int at = tail.reserve(header.length, 0);
        System.arraycopy(header, 0, tail.bytes(), at, header.length);
        length = header.length;
    }

    void put(
            long sequence,
            long timestampNanos,
            Subject subject,
            byte[] source,
            int headersOffset,
            int headersLength,
            int payloadOffset,
            int payloadLength) {
        int size = RecordFormat.length(subject.name.length(), headersLength, payloadLength);
        if (!tail.fits(size) && flushed < length) {
            flush();
        }
        int at = tail.reserve(size, flushed);
        RecordFormat.write(
                tail.bytes(),
                at,
                sequence,
                timestampNanos,
                subject.name,
                source,
                headersOffset,
                headersLength,
                payloadOffset,
                payloadLength,
                crc);
        if (count == positions.length) {
            positions = Arrays.copyOf(positions, count * 2);
        }
        positions[count] = length << 1 | (headersLength > 0 ? 1 : 0);
        length += size;
    }

    /** Writes what is gathered; what the disk refuses stays in memory and is tried again. */
    boolean flush() {
        if (flushed == length) {
            return true;
        }
        try {
            ByteBuffer bytes = tail.from(flushed);
            int to = flushed + bytes.remaining();
            context.handles.get(path, true).writeFully(bytes, flushed);
            flushed = to;
            unforced = true;
            return true;
        } catch (IOException e) {
            context.events.writeFailed(path.toString(), e);
            return false;
        }
    }

    /** Bytes the segment takes on the disk. */
    int fileBytes() {
        return packed ? packedBytes : length;
    }

    int unflushed() {
        return length - flushed;
    }

    private int position(int ordinal) {
        return positions[ordinal] >>> 1;
    }

    private int recordLength(int ordinal) {
        return (ordinal + 1 < count ? position(ordinal + 1) : length) - position(ordinal);
    }

    @Override
    long sizeAt(int ordinal) {
        require();
        return sizeOf(recordLength(ordinal), (positions[ordinal] & 1) != 0);
    }

    static long sizeOf(int recordLength, boolean headers) {
        return (long) recordLength - RecordFormat.HEADER + MESSAGE_OVERHEAD + (headers ? HEADERS_OVERHEAD : 0);
    }

    @Override
    long timestampAt(int ordinal) {
        require();
        int position = position(ordinal);
        TailBuffer memory = tail;
        if (memory != null && memory.holds(position)) {
            return RecordFormat.timestamp(memory.bytesAt(position), memory.offset(position));
        }
        try {
            int at = context.windows.read(this, position, RecordFormat.HEADER);
            // Not verified: a damaged one must not make the age of the stream absurd.
            return Math.clamp(
                    RecordFormat.timestamp(context.windows.bytes(), at),
                    firstTimestamp,
                    Math.max(firstTimestamp, lastTimestamp));
        } catch (EOFException | NoSuchFileException e) {
            // Found out and reported when the message itself is read; the search goes on with the nearest bound.
            return lastTimestamp;
        } catch (IOException e) {
            throw new StorageException("cannot read " + path + ": " + e.getMessage(), e);
        }
    }

    @Override
    StoredMessage messageAt(int ordinal) {
        require();
        int position = position(ordinal);
        Subject subject = subjects[ordinal];
        TailBuffer memory = tail;
        if (memory != null && memory.holds(position)) {
            return RecordFormat.message(
                    memory.bytesAt(position), memory.offset(position), subject == null ? "" : subject.name);
        }
        int at = readSound(ordinal);
        byte[] bytes = context.windows.bytes();
        return RecordFormat.message(bytes, at, subject == null ? RecordFormat.subject(bytes, at) : subject.name);
    }

    /** Reads a record from the file and verifies it; answers its offset in the window. */
    int readSound(int ordinal) {
        require();
        int position = position(ordinal);
        int size = recordLength(ordinal);
        String detail;
        try {
            int at = context.windows.read(this, position, size);
            byte[] bytes = context.windows.bytes();
            if (RecordFormat.sound(bytes, at, size, crc) && RecordFormat.sequence(bytes, at) == sequenceAt(ordinal)) {
                return at;
            }
            detail = "checksum does not match, message " + sequenceAt(ordinal);
        } catch (EOFException | NoSuchFileException e) {
            detail = "the file is missing or ends early, message " + sequenceAt(ordinal);
        } catch (IOException e) {
            throw new StorageException("cannot read " + path + ": " + e.getMessage(), e);
        }
        context.events.damaged(path.toString(), position, detail);
        throw new CorruptRecordException(path.toString(), position, detail);
    }

    @Override
    void erase(int ordinal) {
        require();
        store.noteErased(sequenceAt(ordinal));
        if (packed) {
            erasing = true;
            erased(ordinal);
            return;
        }
        if (!flush()) {
            throw new StorageException("cannot erase in " + path + ": the disk takes no writes");
        }
        int position = position(ordinal);
        int size = recordLength(ordinal);
        try {
            byte[] record = new byte[size];
            context.handles.get(path, false).readFully(ByteBuffer.wrap(record), position);
            if (RecordFormat.length(record, 0) != size) {
                Bytes.putInt(record, 0, size);
            }
            RecordFormat.erase(record, 0, crc);
            context.handles.get(path, false).writeFully(ByteBuffer.wrap(record), position);
            unforced = true;
            context.windows.invalidate(this);
            if (tail != null) {
                tail.replace(position, record);
            }
            erased(ordinal);
        } catch (IOException e) {
            throw new StorageException("cannot erase in " + path + ": " + e.getMessage(), e);
        }
    }

    private void erased(int ordinal) {
        if (erasedMeanwhile != null) {
            erasedMeanwhile.add(ordinal);
        }
    }

    @Override
    void require() {
        indexUsed = true;
        if (subjects == null) {
            store.loadIndex(this);
        }
    }

    void dropIndex() {
        subjects = null;
        positions = null;
        deltas = null;
    }

    /** Memory of the index, near enough. */
    long indexBytes() {
        return count * 8L + 64;
    }
}
