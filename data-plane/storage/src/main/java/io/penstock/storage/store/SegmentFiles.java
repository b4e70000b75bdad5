package io.penstock.storage.store;

import io.penstock.storage.StorageListener;
import io.penstock.storage.disk.Disk;
import io.penstock.storage.disk.DiskFile;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Names and kinds of segment files. Whoever reads one meets the same bytes at the same positions in either kind. */
final class SegmentFiles {
    static final String PLAIN = ".seg";
    static final String PACKED = ".sg2";
    static final String INDEX = ".idx";

    private SegmentFiles() {}

    static String name(long id, boolean packed) {
        return String.format("%012x", id) + (packed ? PACKED : PLAIN);
    }

    /** Whether a name is one of a segment or of an index. */
    static boolean isOne(String name) {
        return FileBlock.idOf(name, PLAIN) > 0 || FileBlock.idOf(name, PACKED) > 0 || FileBlock.idOf(name, INDEX) > 0;
    }

    private static boolean packed(Path path) {
        return path.toString().endsWith(PACKED);
    }

    /** Opens a segment for reading; the answer is for one thread. */
    static DiskFile openRead(StoreContext context, Path path) throws IOException {
        DiskFile file = context.disk.openRead(path);
        return packed(path) ? PackedFile.open(file, path, context.events, new UnpackedBlocks(1)) : file;
    }

    /** Opens a segment for reading and writing; a compressed one for reading. */
    static DiskFile open(Disk disk, Path path, StorageListener events, UnpackedBlocks unpacked) throws IOException {
        if (!packed(path)) {
            return disk.open(path);
        }
        if (!disk.exists(path)) {
            throw new NoSuchFileException(path.toString());
        }
        return PackedFile.open(disk.openRead(path), path, events, unpacked);
    }
}
