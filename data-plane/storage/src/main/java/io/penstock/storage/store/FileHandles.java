package io.penstock.storage.store;

import io.penstock.storage.StorageListener;
import io.penstock.storage.disk.Disk;
import io.penstock.storage.disk.DiskFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/** Open segment files, the least used closed when there are too many. Owned by the loop. */
final class FileHandles {
    private static final int UNPACKED = 16;

    private final Disk disk;
    private final StorageListener events;
    private final UnpackedBlocks unpacked = new UnpackedBlocks(UNPACKED);
    private final int most;
    private final Map<Path, DiskFile> open = new LinkedHashMap<>(64, 0.75f, true);

    FileHandles(Disk disk, StorageListener events, int most) {
        this.disk = disk;
        this.events = events;
        this.most = most;
    }

    /** The open file; {@code create} makes it when it is missing. */
    DiskFile get(Path path, boolean create) throws IOException {
        DiskFile file = open.get(path);
        if (file == null) {
            if (!create && !disk.exists(path)) {
                throw new java.nio.file.NoSuchFileException(path.toString());
            }
            file = SegmentFiles.open(disk, path, events, unpacked);
            open.put(path, file);
            if (open.size() > most) {
                Iterator<DiskFile> eldest = open.values().iterator();
                DiskFile closing = eldest.next();
                eldest.remove();
                closing.close();
            }
        }
        return file;
    }

    /** Forgets a file; a failed close loses nothing, for nothing is buffered here. */
    void close(Path path) {
        DiskFile file = open.remove(path);
        if (file != null) {
            try {
                file.close();
            } catch (IOException e) {
                // The descriptor is gone all the same.
                return;
            }
        }
    }

    void closeAll() {
        for (Path path : java.util.List.copyOf(open.keySet())) {
            close(path);
        }
    }
}
