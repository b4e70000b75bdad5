package io.penstock.jetstream;

import io.penstock.storage.StorageException;
import io.penstock.storage.disk.Disk;
import io.penstock.storage.disk.DiskFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Where files go that are of no use any more and that nobody deletes: {@code <store>/damaged/<number>/}. At most
 * {@value #MOST} folders and 4 GiB are kept; the disk needs somebody's eye then, not another folder.
 */
final class SetAside {
    private static final int MOST = 8;
    private static final long MOST_BYTES = 4L << 30;

    private final Disk disk;
    private final Path root;

    SetAside(Disk disk, Path directory) {
        this.disk = disk;
        this.root = directory.resolve("damaged");
    }

    private List<String> folders() {
        try {
            return disk.list(root);
        } catch (IOException e) {
            throw new StorageException("cannot list " + root + ": " + e.getMessage(), e);
        }
    }

    int count() {
        return folders().size();
    }

    /** Why nothing more is taken, empty when it is. */
    String full() {
        List<String> folders = folders();
        try {
            long bytes = bytes(root);
            if (folders.size() >= MOST || bytes >= MOST_BYTES) {
                return folders.size() + " damaged journals with " + bytes + " bytes were set aside in " + root
                        + " before. Look for the cause in the disk, then remove them and start again";
            }
            return "";
        } catch (IOException e) {
            throw new StorageException("cannot read " + root + ": " + e.getMessage(), e);
        }
    }

    private long bytes(Path path) throws IOException {
        if (!disk.isDirectory(path)) {
            if (!disk.exists(path)) {
                return 0;
            }
            try (DiskFile file = disk.openRead(path)) {
                return file.size();
            }
        }
        long sum = 0;
        for (String name : disk.list(path)) {
            sum += bytes(path.resolve(name));
        }
        return sum;
    }

    /** A folder that is not there yet. */
    Path next() {
        int number = 1;
        List<String> folders = folders();
        while (folders.contains(Integer.toString(number))) {
            number++;
        }
        return root.resolve(Integer.toString(number));
    }

    /** Moves a file or folder, if it is there, into one of these folders; durable when it returns. */
    void move(Path from, Path place) throws IOException {
        if (!disk.exists(from)) {
            return;
        }
        disk.createDirectories(place);
        disk.forceDirectory(root.getParent());
        disk.forceDirectory(root);
        disk.rename(from, place.resolve(from.getFileName().toString()));
        // The new name first: in between a crash may leave both, never none.
        disk.forceDirectory(place);
        disk.forceDirectory(from.getParent());
    }
}
