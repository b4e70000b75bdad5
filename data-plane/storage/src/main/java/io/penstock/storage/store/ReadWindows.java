package io.penstock.storage.store;

import io.penstock.storage.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Pieces of segment files in memory. A read that goes on where the last one of its segment ended is taken for one of a
 * consumer that will go on: it fetches a whole window. Owned by the loop.
 */
final class ReadWindows {
    private static final int WINDOWS = 32;
    private static final int WINDOW_BYTES = 128 << 10;

    private static final class Window {
        private FileBlock owner;
        private int start;
        private int length;
        private byte[] bytes;
        private long used;
    }

    private final Window[] windows = new Window[WINDOWS];
    private final FileHandles handles;
    private byte[] scratch = new byte[4096];
    private long clock;

    /** Where the bytes last asked for are. */
    private byte[] bytes;

    ReadWindows(FileHandles handles) {
        this.handles = handles;
        for (int i = 0; i < WINDOWS; i++) {
            windows[i] = new Window();
        }
    }

    byte[] bytes() {
        return bytes;
    }

    /** Makes a piece of a block's file available in {@link #bytes()}, until the next call; answers its offset there. */
    int read(FileBlock block, int position, int length) throws IOException {
        for (Window window : windows) {
            if (window.owner == block
                    && position >= window.start
                    && position + length <= window.start + window.length) {
                window.used = ++clock;
                bytes = window.bytes;
                block.lastReadEnd = position + length;
                return position - window.start;
            }
        }
        boolean goesOn = position >= block.lastReadEnd && position - block.lastReadEnd < WINDOW_BYTES / 2;
        block.lastReadEnd = position + length;
        DiskFile file = handles.get(block.path, false);
        if (goesOn && length <= WINDOW_BYTES) {
            return fill(block, file, position, length);
        }
        if (scratch.length < length) {
            scratch = new byte[Integer.highestOneBit(length) * 2];
        }
        bytes = scratch;
        file.readFully(ByteBuffer.wrap(scratch, 0, length), position);
        if (scratch.length > 1 << 20) {
            scratch = new byte[4096];
        }
        return 0;
    }

    private int fill(FileBlock block, DiskFile file, int position, int length) throws IOException {
        Window oldest = windows[0];
        for (Window window : windows) {
            if (window.used < oldest.used) {
                oldest = window;
            }
        }
        if (oldest.bytes == null) {
            oldest.bytes = new byte[WINDOW_BYTES];
        }
        oldest.owner = null;
        int wanted = Math.min(WINDOW_BYTES, Math.max(length, block.flushed - position));
        int read = file.readUpTo(ByteBuffer.wrap(oldest.bytes, 0, wanted), position);
        if (read < length) {
            throw new java.io.EOFException("the file ends at " + (position + read));
        }
        oldest.owner = block;
        oldest.start = position;
        oldest.length = read;
        oldest.used = ++clock;
        bytes = oldest.bytes;
        return 0;
    }

    void invalidate(FileBlock block) {
        for (Window window : windows) {
            if (window.owner == block) {
                window.owner = null;
                window.used = 0;
            }
        }
    }
}
