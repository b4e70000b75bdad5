package io.penstock.storage.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/**
 * A disk that takes nothing more while a directory on it is not the one it was at the start: renamed, unmounted, or
 * another in its place. Files that are open would go on, and what is written to them might never be found again. What is
 * refused is refused as by a full disk: nothing is half written, and once the directory is back it goes on.
 *
 * <p>Safe for use from any thread, but for {@link #look}.
 */
public final class AnchoredDisk extends ForwardingDisk {
    private final Path directory;

    /** What the directory was at the start. */
    private final Object identity;

    /** Why nothing is taken, null while the directory is there; written by the thread that looks. */
    private volatile String problem;

    private AnchoredDisk(Disk disk, Path directory, Object identity) {
        super(disk);
        this.directory = directory;
        this.identity = identity;
    }

    /**
     * Remembers what the directory is, which is made when it is missing.
     *
     * @throws IOException when it cannot be made or looked at
     */
    public static AnchoredDisk at(Disk disk, Path directory) throws IOException {
        disk.createDirectories(directory);
        return new AnchoredDisk(disk, directory, disk.identity(directory));
    }

    /**
     * Looks whether the directory is there; one thread, a few times a second.
     *
     * @return whether that has changed since the last look
     */
    public boolean look() {
        String before = problem;
        problem = find();
        return (before == null) != (problem == null);
    }

    private String find() {
        try {
            return disk.identity(directory).equals(identity)
                    ? null
                    : "another directory is in the place of " + directory
                            + ": put back the one this server was started with";
        } catch (IOException e) {
            return directory + " is gone, renamed or unmounted: put it back";
        }
    }

    /** Why nothing is taken and how to mend it; null while all is well. */
    public String problem() {
        return problem;
    }

    private void check() throws IOException {
        String present = problem;
        if (present != null) {
            throw new IOException(present);
        }
    }

    @Override
    public DiskFile open(Path path) throws IOException {
        check();
        return new Anchored(disk.open(path));
    }

    @Override
    public DiskFile openRead(Path path) throws IOException {
        return disk.openRead(path);
    }

    @Override
    public List<String> list(Path path) throws IOException {
        check();
        return disk.list(path);
    }

    @Override
    public void createDirectories(Path path) throws IOException {
        check();
        disk.createDirectories(path);
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        check();
        disk.rename(from, to);
    }

    @Override
    public void delete(Path path) throws IOException {
        check();
        disk.delete(path);
    }

    @Override
    public void forceDirectory(Path path) throws IOException {
        check();
        disk.forceDirectory(path);
    }

    private final class Anchored implements DiskFile {
        private final DiskFile file;

        Anchored(DiskFile file) {
            this.file = file;
        }

        @Override
        public int write(ByteBuffer source, long position) throws IOException {
            check();
            return file.write(source, position);
        }

        @Override
        public int read(ByteBuffer target, long position) throws IOException {
            return file.read(target, position);
        }

        @Override
        public void force() throws IOException {
            file.force();
        }

        @Override
        public void truncate(long size) throws IOException {
            // Takes back what was begun.
            file.truncate(size);
        }

        @Override
        public long size() throws IOException {
            return file.size();
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
