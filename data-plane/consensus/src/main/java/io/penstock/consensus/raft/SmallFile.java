package io.penstock.consensus.raft;

import io.penstock.storage.CorruptRecordException;
import io.penstock.storage.disk.Disk;
import io.penstock.storage.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file that is read and written as a whole, with a checksum in front; replaced at once, durable when it returns. A copy
 * beside it, written after it, is read when the file is damaged or gone: without what it says a group cannot begin.
 */
final class SmallFile {
    private static final Logger LOG = LoggerFactory.getLogger(SmallFile.class);
    private static final int MAX_BYTES = 16 << 20;

    private final Disk disk;
    private final Path path;
    private final Path copy;

    SmallFile(Disk disk, Path path) {
        this.disk = disk;
        this.path = path;
        this.copy = path.resolveSibling(path.getFileName() + ".copy");
    }

    /**
     * Its bytes, null when there is no such file.
     *
     * @throws CorruptRecordException when they are damaged, in the copy too
     */
    byte[] read() throws IOException {
        if (!disk.exists(copy)) {
            return disk.exists(path) ? read(path) : null;
        }
        if (disk.exists(path)) {
            try {
                return read(path);
            } catch (CorruptRecordException e) {
                LOG.error("{}; its copy is read", e.getMessage());
            }
        } else {
            LOG.error("{} is gone; its copy is read", path);
        }
        byte[] content = read(copy);
        replace(path, content);
        return content;
    }

    private byte[] read(Path source) throws IOException {
        try (DiskFile file = disk.openRead(source)) {
            long size = file.size();
            if (size < Integer.BYTES || size > MAX_BYTES) {
                throw damaged(source, "a length of " + size + " bytes");
            }
            ByteBuffer buffer = ByteBuffer.allocate((int) size);
            file.readFully(buffer, 0);
            buffer.flip();
            int expected = buffer.getInt();
            byte[] content = new byte[buffer.remaining()];
            buffer.get(content);
            if (expected != checksum(content)) {
                throw damaged(source, "the checksum does not match");
            }
            return content;
        }
    }

    private static CorruptRecordException damaged(Path source, String detail) {
        return new CorruptRecordException(
                source.toString(),
                0,
                detail + "; restore it, or remove this node from its groups, empty its store and let it join again");
    }

    void write(byte[] content) throws IOException {
        replace(path, content);
        replace(copy, content);
    }

    private void replace(Path target, byte[] content) throws IOException {
        Path fresh = target.resolveSibling(target.getFileName() + ".new");
        if (disk.exists(fresh)) {
            disk.delete(fresh);
        }
        try (DiskFile file = disk.open(fresh)) {
            ByteBuffer buffer = ByteBuffer.allocate(Integer.BYTES + content.length);
            buffer.putInt(checksum(content)).put(content).flip();
            file.writeFully(buffer, 0);
            file.force();
        }
        disk.rename(fresh, target);
        disk.forceDirectory(target.getParent());
    }

    /** The copy goes first: alone it would stand for the file. */
    void delete() throws IOException {
        if (disk.exists(copy)) {
            disk.delete(copy);
            disk.forceDirectory(path.getParent());
        }
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
