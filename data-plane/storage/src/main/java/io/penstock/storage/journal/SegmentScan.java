package io.penstock.storage.journal;

import io.penstock.storage.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** Goes through the frames of one segment file. */
final class SegmentScan {
    private static final int WINDOW_BYTES = 1 << 20;

    private final DiskFile file;
    private final long segment;
    private final long size;
    private final CRC32C crc = new CRC32C();
    private ByteBuffer window = Frame.buffer(WINDOW_BYTES);
    private long windowStart;
    private int windowLength;

    SegmentScan(DiskFile file, long segment) throws IOException {
        this.file = file;
        this.segment = segment;
        this.size = file.size();
    }

    long size() {
        return size;
    }

    /** Makes a sound frame at {@code offset} readable; answers its place in {@link #buffer}, -1 when there is none. */
    int frame(long offset) throws IOException {
        int at = fill(offset, Frame.HEADER);
        if (at < 0 || !Frame.plausible(window, at, segment)) {
            return -1;
        }
        at = fill(offset, Frame.HEADER + Frame.length(window, at));
        return at >= 0 && Frame.verify(window, at, crc) ? at : -1;
    }

    ByteBuffer buffer() {
        return window;
    }

    /** Whether the header at {@code offset} names this segment, sound or not. */
    boolean begun(long offset) throws IOException {
        int at = fill(offset, Frame.HEADER);
        return at >= 0 && window.getLong(at + 8) == segment;
    }

    /** Offset of the first sound frame behind {@code offset} that was written when more than {@code synced} was on disk. */
    long findSyncedBeyond(long offset, long synced) throws IOException {
        for (long at = offset + 1; at + Frame.HEADER <= size; at++) {
            int place = fill(at, Frame.HEADER);
            if (place < 0) {
                return -1;
            }
            long number = window.getLong(place + 8);
            if (number == segment && Frame.synced(window, place) > synced && frame(at) >= 0) {
                return at;
            }
            if (number == 0 && (segment & 0xFF) != 0) {
                // The lowest byte of the number would be one of these zeros at each of the next seven places.
                at += 7;
            }
        }
        return -1;
    }

    private int fill(long offset, int length) throws IOException {
        if (offset + length > size) {
            return -1;
        }
        if (offset >= windowStart && offset + length <= windowStart + windowLength) {
            return (int) (offset - windowStart);
        }
        if (length > window.capacity()) {
            window = Frame.buffer(Integer.highestOneBit(length) * 2);
        }
        window.clear();
        windowLength = file.readUpTo(window, offset);
        windowStart = offset;
        return windowLength < length ? -1 : 0;
    }
}
