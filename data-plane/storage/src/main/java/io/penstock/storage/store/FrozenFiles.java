package io.penstock.storage.store;

import io.penstock.storage.FrozenMessages;
import io.penstock.storage.StoredMessage;
import io.penstock.storage.StreamState;
import io.penstock.storage.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.zip.CRC32C;

/** The records of a store's segments as they were, read straight from the files: neither the loop nor its caches take part. */
final class FrozenFiles implements FrozenMessages {
    private static final int WINDOW = 1 << 20;

    /** An erasure that is on its way makes a record unsound for a moment. */
    private static final int TRIES = 5;

    private record Part(Path path, int length, int count, long[] deleted) {
        boolean held(int ordinal) {
            int word = ordinal >>> 6;
            return deleted == null || word >= deleted.length || (deleted[word] & (1L << ordinal)) == 0;
        }
    }

    private final FileStreamStore store;
    private final StreamState state;
    private final List<Part> parts = new ArrayList<>();
    private final CRC32C crc = new CRC32C();
    private Iterator<Part> left;

    /** The segment being read; null between two. */
    private DiskFile file;

    private Part part;
    private int ordinal;
    private int position;
    private byte[] window = new byte[WINDOW];
    private int windowAt;
    private int windowLength;
    private boolean released;

    /** Loop: freezes the store, all of whose records must be in its files. */
    FrozenFiles(FileStreamStore store, Iterable<Block> blocks) {
        this.store = store;
        this.state = store.state();
        for (Block block : blocks) {
            FileBlock source = (FileBlock) block;
            if (block.deleted != null) {
                block.deletedShared = true;
            }
            parts.add(new Part(source.path, source.length, block.count, block.deleted));
        }
        left = parts.iterator();
    }

    @Override
    public StreamState state() {
        return state;
    }

    @Override
    public StoredMessage next() throws IOException {
        while (true) {
            if (file == null) {
                if (!left.hasNext()) {
                    return null;
                }
                open(left.next());
            }
            if (ordinal == part.count()) {
                closeFile();
                continue;
            }
            StoredMessage message = record();
            if (message != null) {
                return message;
            }
        }
    }

    private void open(Part next) throws IOException {
        part = next;
        file = SegmentFiles.openRead(store.context, next.path());
        ordinal = 0;
        position = RecordFormat.FILE_HEADER;
        windowLength = 0;
    }

    private void closeFile() throws IOException {
        DiskFile closing = file;
        file = null;
        closing.close();
    }

    /** The record at the position, null when it is not to be shown. */
    private StoredMessage record() throws IOException {
        for (int tries = 1; ; tries++) {
            int at = load(RecordFormat.HEADER);
            int length = RecordFormat.length(window, at);
            boolean fits = length >= RecordFormat.HEADER && length <= part.length() - position;
            if (fits) {
                at = load(length);
            }
            if (fits && RecordFormat.sound(window, at, length, crc)) {
                boolean shown = part.held(ordinal)
                        && !RecordFormat.erased(window, at)
                        && !store.erasedWhileRead.contains(RecordFormat.sequence(window, at));
                ordinal++;
                position += length;
                return shown ? RecordFormat.message(window, at, RecordFormat.subject(window, at)) : null;
            }
            if (tries == TRIES) {
                throw new IOException(part.path() + " is damaged at offset " + position);
            }
            windowLength = 0;
        }
    }

    /** Makes bytes from the position on available; answers where they begin in the window. */
    private int load(int length) throws IOException {
        int at = position - windowAt;
        if (windowLength > 0 && at >= 0 && at + length <= windowLength) {
            return at;
        }
        if (length > window.length) {
            window = new byte[length];
        }
        int wanted = Math.min(window.length, part.length() - position);
        windowLength = file.readUpTo(ByteBuffer.wrap(window, 0, wanted), position);
        windowAt = position;
        if (windowLength < length) {
            throw new IOException(part.path() + " ends early, at " + (position + windowLength));
        }
        return 0;
    }

    @Override
    public void close() {
        if (!released) {
            released = true;
            store.release();
        }
    }

    /** Closes the file that is open; by the thread that reads. */
    @Override
    public void closeReader() throws IOException {
        left = List.<Part>of().iterator();
        if (file != null) {
            closeFile();
        }
    }
}
