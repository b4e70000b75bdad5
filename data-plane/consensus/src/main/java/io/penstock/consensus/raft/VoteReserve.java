package io.penstock.consensus.raft;

import io.penstock.storage.StorageException;
import io.penstock.storage.disk.Disk;
import io.penstock.storage.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/**
 * Room for one vote that is there whatever happens: a file whose blocks are allocated when the group is made, and
 * overwritten in place. A full disk must not keep a replica from voting, which it does for the others' sake, nor must a
 * directory that was renamed: the file stays open. Two slots
 * take turns, so that a torn write leaves the one before. Thread-safe.
 *
 * <pre>
 *  0 int   CRC32C of the rest of the slot
 *  4 long  number of the write; the higher slot counts
 * 12 long  term, 0 when the slot says nothing
 * 20 int   length of the vote
 * 24       vote
 * </pre>
 */
final class VoteReserve implements AutoCloseable {
    private static final int SLOT = 1024;
    private static final int HEADER = 24;

    private final Disk disk;
    private final Path path;
    private final DiskFile file;

    /** Guarded by this, as all below. */
    private long writes;

    private long term;
    private String votedFor = "";

    /** @throws StorageException when the file cannot be read or made */
    VoteReserve(Disk disk, Path path) {
        this.disk = disk;
        this.path = path;
        try {
            if (disk.exists(path)) {
                read();
            } else {
                make();
            }
            file = disk.open(path);
        } catch (IOException e) {
            throw new StorageException("cannot open " + path + ": " + e.getMessage(), e);
        }
    }

    private void make() throws IOException {
        try (DiskFile made = disk.open(path)) {
            made.writeFully(ByteBuffer.allocate(2 * SLOT), 0);
            made.force();
        }
        disk.forceDirectory(path.getParent());
    }

    private void read() throws IOException {
        try (DiskFile present = disk.openRead(path)) {
            for (int slot = 0; slot < 2; slot++) {
                byte[] bytes = new byte[SLOT];
                present.readUpTo(ByteBuffer.wrap(bytes), (long) slot * SLOT);
                take(bytes);
            }
        }
    }

    private void take(byte[] bytes) {
        ByteBuffer slot = ByteBuffer.wrap(bytes);
        if (slot.getInt() != checksum(bytes)) {
            return;
        }
        long number = slot.getLong();
        if (number > writes) {
            writes = number;
            term = slot.getLong();
            byte[] vote = new byte[slot.getInt()];
            slot.get(vote);
            votedFor = new String(vote, StandardCharsets.UTF_8);
        }
    }

    private static int checksum(byte[] slot) {
        CRC32C crc = new CRC32C();
        crc.update(slot, Integer.BYTES, SLOT - Integer.BYTES);
        return (int) crc.getValue();
    }

    synchronized long term() {
        return term;
    }

    synchronized String votedFor() {
        return votedFor;
    }

    /** Keeps a vote; on disk when it returns. */
    synchronized void write(long newTerm, String vote) {
        byte[] bytes = vote.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > SLOT - HEADER) {
            throw new StorageException("a vote of " + bytes.length + " bytes does not fit into " + path);
        }
        ByteBuffer slot = ByteBuffer.allocate(SLOT);
        slot.position(Integer.BYTES);
        slot.putLong(writes + 1).putLong(newTerm).putInt(bytes.length).put(bytes);
        slot.putInt(0, checksum(slot.array())).position(0).limit(SLOT);
        try {
            file.writeFully(slot, (writes + 1) % 2 * SLOT);
            file.force();
        } catch (IOException e) {
            throw new StorageException("cannot write " + path + ": " + e.getMessage(), e);
        }
        writes++;
        term = newTerm;
        votedFor = vote;
    }

    /** The journal has it now. */
    synchronized void clear() {
        if (term != 0) {
            write(0, "");
        }
    }

    @Override
    public synchronized void close() {
        try {
            file.close();
        } catch (IOException e) {
            throw new StorageException("cannot close " + path + ": " + e.getMessage(), e);
        }
    }
}
