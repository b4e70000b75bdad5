package io.penstock.storage.store;

import io.penstock.storage.StorageListener;
import io.penstock.storage.compress.S2Block;
import io.penstock.storage.compress.S2Exception;
import io.penstock.storage.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/**
 * The plain bytes of a compressed segment. What a damaged block held reads as zeros, which are no record: whoever reads
 * finds and reports just the records that are lost. For one thread.
 */
final class PackedFile implements DiskFile {
    private final DiskFile file;
    private final Path path;
    private final UnpackedBlocks unpacked;
    private final CRC32C crc = new CRC32C();
    private final LongList blocks = new LongList();

    /** Plain bytes of all blocks. */
    private int length;

    /** Where the blocks end in the file. */
    private int blocksEnd;

    private byte[] stored = {};

    private PackedFile(DiskFile file, Path path, UnpackedBlocks unpacked) {
        this.file = file;
        this.path = path;
        this.unpacked = unpacked;
    }

    /** Opens; closes {@code file} when that fails. */
    static PackedFile open(DiskFile file, Path path, StorageListener events, UnpackedBlocks unpacked)
            throws IOException {
        PackedFile packed = new PackedFile(file, path, unpacked);
        try {
            packed.begin(events);
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
        return packed;
    }

    private void begin(StorageListener events) throws IOException {
        int size = Math.toIntExact(file.size());
        byte[] header = new byte[PackedFormat.HEADER];
        file.readUpTo(ByteBuffer.wrap(header), 0);
        if (!PackedFormat.headerSound(header)) {
            events.damaged(path.toString(), 0, "the header is damaged; the blocks are read all the same");
        }
        if (!readTable(size)) {
            events.damaged(path.toString(), size, "the table of blocks cannot be read; made anew from the blocks");
            walk(size);
        }
    }

    private boolean readTable(int size) throws IOException {
        if (size < PackedFormat.HEADER + PackedFormat.END) {
            return false;
        }
        byte[] end = new byte[PackedFormat.END];
        file.readFully(ByteBuffer.wrap(end), size - PackedFormat.END);
        int count = PackedFormat.blocksAtEnd(end);
        long bytes = (long) count * PackedFormat.TABLE_ENTRY + PackedFormat.END;
        if (count < 0 || bytes > size - PackedFormat.HEADER) {
            return false;
        }
        byte[] table = new byte[(int) bytes];
        file.readFully(ByteBuffer.wrap(table), size - table.length);
        if (!PackedFormat.tableSound(table)) {
            return false;
        }
        for (int i = 0; i < count; i++) {
            blocks.add(Bytes.getLong(table, i * PackedFormat.TABLE_ENTRY));
        }
        length = PackedFormat.plainBytesAtEnd(table);
        blocksEnd = size - table.length;
        return true;
    }

    /** Finds the blocks by themselves, beyond damaged ones too. */
    private void walk(int size) throws IOException {
        byte[] all = new byte[size];
        int end = file.readUpTo(ByteBuffer.wrap(all), 0);
        blocksEnd = end;
        int at = Math.min(PackedFormat.HEADER, end);
        while (at < end) {
            if (PackedFormat.blockSound(all, at, end, crc) && PackedFormat.position(all, at) >= length) {
                blocks.add(PackedFormat.entry(PackedFormat.position(all, at), at));
                length = PackedFormat.position(all, at) + PackedFormat.plainBytes(all, at);
                at += PackedFormat.BLOCK_HEADER + PackedFormat.storedBytes(all, at);
            } else {
                at++;
            }
        }
    }

    @Override
    public int read(ByteBuffer target, long position) throws IOException {
        if (position >= length) {
            return -1;
        }
        int from = (int) position;
        int block = blockOf(from);
        int next = block + 1 < blocks.size() ? start(block + 1) : length;
        if (block < 0) {
            return zeros(target, next - from);
        }
        UnpackedBlocks.Slot slot = unpacked.find(this, block);
        if (slot == null) {
            slot = unpack(block);
        }
        int into = from - start(block);
        if (into >= slot.length) {
            return zeros(target, next - from);
        }
        int count = Math.min(target.remaining(), slot.length - into);
        target.put(slot.bytes, into, count);
        return count;
    }

    private static int zeros(ByteBuffer target, int most) {
        int count = Math.min(target.remaining(), most);
        target.put(new byte[count]);
        return count;
    }

    /** The last block that begins at or before a position, -1 when there is none. */
    private int blockOf(int position) {
        int low = 0;
        int high = blocks.size() - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (start(middle) <= position) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return high;
    }

    private int start(int block) {
        return (int) blocks.get(block);
    }

    private int offset(int block) {
        return (int) (blocks.get(block) >>> 32);
    }

    /** Unpacks a block; one that is damaged comes to nothing. */
    private UnpackedBlocks.Slot unpack(int block) throws IOException {
        int from = offset(block);
        int bytes = (block + 1 < blocks.size() ? offset(block + 1) : blocksEnd) - from;
        // Where blocks between are lost, what is theirs lies behind this one.
        int wanted = Math.max(0, Math.min(bytes, PackedFormat.BLOCK_HEADER + PackedFormat.MOST_BLOCK));
        if (stored.length < wanted) {
            stored = new byte[wanted];
        }
        int read = file.readUpTo(ByteBuffer.wrap(stored, 0, wanted), from);
        UnpackedBlocks.Slot slot = unpacked.take(PackedFormat.MOST_BLOCK);
        unpacked.keep(slot, this, block, plain(block, read, slot.bytes));
        return slot;
    }

    private int plain(int block, int end, byte[] target) {
        if (!PackedFormat.blockSound(stored, 0, end, crc) || PackedFormat.position(stored, 0) != start(block)) {
            return 0;
        }
        int plain = PackedFormat.plainBytes(stored, 0);
        int bytes = PackedFormat.storedBytes(stored, 0);
        if (!PackedFormat.compressed(stored, 0)) {
            System.arraycopy(stored, PackedFormat.BLOCK_HEADER, target, 0, bytes);
            return bytes;
        }
        try {
            int from = PackedFormat.BLOCK_HEADER;
            return S2Block.decode(stored, from, from + bytes, target) == plain ? plain : 0;
        } catch (S2Exception e) {
            return 0;
        }
    }

    @Override
    public int write(ByteBuffer source, long position) throws IOException {
        throw new IOException(path + " is compressed and is not written to; it is written anew");
    }

    @Override
    public void truncate(long size) throws IOException {
        throw new IOException(path + " is compressed and is not cut; it is written anew");
    }

    @Override
    public void force() throws IOException {
        file.force();
    }

    @Override
    public long size() {
        return length;
    }

    @Override
    public void close() throws IOException {
        unpacked.forget(this);
        file.close();
    }
}
