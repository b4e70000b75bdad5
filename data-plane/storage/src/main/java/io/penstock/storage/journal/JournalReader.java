package io.penstock.storage.journal;

import io.penstock.storage.CorruptRecordException;
import io.penstock.storage.StorageException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** Reads a group's entries one after the other through a window of the segment. For one thread. */
public final class JournalReader {
    static final int WINDOW_BYTES = 1 << 20;

    private final Journal journal;
    private final GroupState state;
    private final CRC32C crc = new CRC32C();
    private ByteBuffer window;
    private Segment windowSegment;
    private long windowStart;
    private int windowLength;

    JournalReader(Journal journal, GroupState state, int windowBytes) {
        this.window = Frame.buffer(windowBytes);
        this.journal = journal;
        this.state = state;
    }

    /**
     * The entry at {@code index}, or null outside [first, last].
     *
     * @throws CorruptRecordException when its bytes are damaged
     */
    public JournalEntry read(long index) {
        for (int attempt = 0; ; attempt++) {
            long location = state.location(index);
            if (location == GroupState.NONE) {
                return null;
            }
            Segment segment = journal.segment(location >>> 32);
            try {
                if (segment != null) {
                    return read(segment, (int) location, index);
                }
            } catch (IOException | CorruptRecordException e) {
                // The window may be from before the entry was written, or the segment may have been let go and used
                // again while we read: then the entry is not there any more.
                windowSegment = null;
                if (attempt > 0 && (state.location(index) == location || attempt > 10)) {
                    throw e instanceof CorruptRecordException corrupt
                            ? corrupt
                            : new StorageException(
                                    "cannot read " + segment.path + ": " + e.getMessage(), (IOException) e);
                }
            }
            if (segment == null && attempt > 10) {
                throw new StorageException("entry " + index + " is in a segment that is gone: " + (location >>> 32));
            }
        }
    }

    private JournalEntry read(Segment segment, int offset, long index) throws IOException {
        int at = fill(segment, offset, Frame.HEADER);
        if (!Frame.plausible(window, at, segment.number)) {
            throw new CorruptRecordException(segment.path.toString(), offset, "no frame of entry " + index);
        }
        at = fill(segment, offset, Frame.HEADER + Frame.length(window, at));
        if (!Frame.verify(window, at, crc)) {
            throw new CorruptRecordException(
                    segment.path.toString(), offset, "checksum does not match, entry " + index);
        }
        if (Frame.index(window, at) != index || Frame.group(window, at) != state.group()) {
            throw new CorruptRecordException(segment.path.toString(), offset, "another entry than " + index);
        }
        byte[] payload = Frame.payload(window, at);
        return new JournalEntry(
                index,
                Frame.term(window, at),
                Frame.type(window, at),
                Frame.timestamp(window, at),
                payload,
                payload.length);
    }

    /** Makes the window hold the bytes from {@code offset} on; answers where they start in it. */
    private int fill(Segment segment, long offset, int length) throws IOException {
        if (segment == windowSegment && offset >= windowStart && offset + length <= windowStart + windowLength) {
            return (int) (offset - windowStart);
        }
        if (length > window.capacity()) {
            window = Frame.buffer(Integer.highestOneBit(length) * 2);
        }
        windowSegment = null;
        window.clear();
        windowLength = segment.file.readUpTo(window, offset);
        if (windowLength < length) {
            throw new CorruptRecordException(segment.path.toString(), offset, "the file ends within the frame");
        }
        windowSegment = segment;
        windowStart = offset;
        return 0;
    }
}
