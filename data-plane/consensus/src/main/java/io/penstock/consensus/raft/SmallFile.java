package io.penstock.consensus.raft;

import io.penstock.storage.CorruptRecordException;
import io.penstock.storage.disk.Disk;
import io.penstock.storage.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/** A file that is read and written as a whole, with a checksum in front; replaced at once, durable when it returns. */
final class SmallFile {
    private static final int MAX_BYTES = 16 << 20;

    private final Disk disk;
    private final Path path;

    SmallFile(Disk disk, Path path) {
        this.disk = disk;
        this.path = path;
    }

    /**
     * Its bytes, null when there is no such file.
     *
     * @throws CorruptRecordException when they are damaged
     */
    byte[] read() throws IOException {
        if (!disk.exists(path)) {
            return null;
        }
        try (DiskFile file = disk.openRead(path)) {
            long size = file.size();
            if (size < Integer.BYTES || size > MAX_BYTES) {
                throw damaged("a length of " + size + " bytes");
            }
            ByteBuffer buffer = ByteBuffer.allocate((int) size);
            file.readFully(buffer, 0);
            buffer.flip();
            int expected = buffer.getInt();
            byte[] content = new byte[buffer.remaining()];
            buffer.get(content);
            if (expected != checksum(content)) {
                throw damaged("the checksum does not match");
            }
            return content;
        }
    }

    private CorruptRecordException damaged(String detail) {
        return new CorruptRecordException(
                path.toString(),
                0,
                detail + "; restore it, or remove this node from its groups, empty its store and let it join again");
    }

    void write(byte[] content) throws IOException {
        Path fresh = path.resolveSibling(path.getFileName() + ".new");
        if (disk.exists(fresh)) {
            disk.delete(fresh);
        }
        try (DiskFile file = disk.open(fresh)) {
            ByteBuffer buffer = ByteBuffer.allocate(Integer.BYTES + content.length);
            buffer.putInt(checksum(content)).put(content).flip();
            file.writeFully(buffer, 0);
            file.force();
        }
        disk.rename(fresh, path);
        disk.forceDirectory(path.getParent());
    }

    void delete() throws IOException {
        if (disk.exists(path)) {
            disk.delete(path);
            disk.forceDirectory(path.getParent());
        }
    }

    private static int checksum(byte[] content) {
        CRC32C crc = new CRC32C();
        crc.update(content, 0, content.length);
        return (int) crc.getValue();
    }
}
