package io.penstock.storage.store;

import io.penstock.storage.CorruptRecordException;
import io.penstock.storage.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.function.LongConsumer;
import java.util.zip.CRC32C;

/**
 * Reads the files that the last checkpoints speak of and verifies every record, beside the loop: what is damaged is
 * found before somebody asks for it.
 */
final class StoreScrub {
    private final StoreContext context;
    private final LongConsumer read;
    private final CRC32C crc = new CRC32C();
    private long damaged;

    /** @param read hears of bytes read, and may wait */
    StoreScrub(StoreContext context, LongConsumer read) {
        this.context = context;
        this.read = read;
    }

    /** Verifies the streams in these directories; answers how many records and files are damaged. */
    long run(Iterable<Path> directories) throws IOException {
        for (Path directory : directories) {
            try {
                ManifestFile file = ManifestFile.read(context, directory);
                if (file != null) {
                    stream(directory, file.manifest());
                }
            } catch (CorruptRecordException e) {
                // Told by whoever read it.
                damaged++;
            }
        }
        return damaged;
    }

    private void stream(Path directory, Manifest manifest) throws IOException {
        for (Manifest.BlockEntry block : manifest.blocks()) {
            Path path = directory.resolve(block.segmentName());
            byte[] bytes = new byte[block.length()];
            try (DiskFile file = SegmentFiles.openRead(context, path)) {
                int length = file.readUpTo(ByteBuffer.wrap(bytes), 0);
                if (length < bytes.length) {
                    report(directory, path, length, "the file ends early; it should have " + bytes.length, block);
                    continue;
                }
            } catch (NoSuchFileException e) {
                report(directory, path, 0, "the file is missing", block);
                continue;
            }
            read.accept(bytes.length);
            int at = RecordFormat.FILE_HEADER;
            while (at < bytes.length) {
                int length = bytes.length - at < RecordFormat.HEADER ? 0 : RecordFormat.length(bytes, at);
                if (length < RecordFormat.HEADER
                        || length > bytes.length - at
                        || !RecordFormat.sound(bytes, at, length, crc)) {
                    report(directory, path, at, "checksum does not match", block);
                    break;
                }
                at += length;
            }
        }
    }

    /** Reports damage, unless the block has been compacted or deleted since. */
    private void report(Path directory, Path path, long offset, String detail, Manifest.BlockEntry block)
            throws IOException {
        ManifestFile now = context.disk.isDirectory(directory) ? ManifestFile.read(context, directory) : null;
        boolean still = now != null && now.manifest().blocks().stream().anyMatch(b -> b.id() == block.id());
        if (still) {
            damaged++;
            context.events.damaged(path.toString(), offset, detail + ", found by a scrub");
        }
    }
}
