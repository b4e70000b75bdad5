package io.penstock.storage.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A disk in memory that can be full, fail, and lose power: what was not forced is lost, torn or kept as the dice fall,
 * sector by sector; what was not forced of a directory is kept up to some point. Thread-safe.
 */
public final class TestingDisk implements Disk {
    private static final int SECTOR = 512;
    private static final AtomicLong SALTS = new AtomicLong();

    /** What stands between a store and this disk. */
    public enum Kind {
        /** Nothing. */
        PLAIN,

        /** Encryption. */
        ENCRYPTED;

        public Disk over(TestingDisk disk, Path store) {
            return this == PLAIN ? disk : EncryptedDisk.of(disk, store, keys("testing key", ""));
        }
    }

    /** Keys whose salts are the same in each run. */
    public static StoreKeys keys(String key, String previous) {
        try {
            SecureRandom random = SecureRandom.getInstance("SHA1PRNG");
            random.setSeed(SALTS.incrementAndGet());
            return new StoreKeys(StoreCipher.AES, key, previous, random);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What a mutating call is about to do. */
    public interface Fault {
        /** Throws to make it fail. */
        void check(String operation, Path path) throws IOException;
    }

    private sealed interface Change {
        record Write(long position, byte[] bytes) implements Change {}

        record Truncate(long size) implements Change {}
    }

    private static final class Inode {
        private byte[] durable = {};
        private byte[] content = {};
        private int length;
        private final List<Change> unforced = new ArrayList<>();
    }

    private sealed interface NameChange {
        record Put(Path path, Inode inode) implements NameChange {}

        record Remove(Path path) implements NameChange {}

        /** Several that come about together. */
        record Together(List<NameChange> changes) implements NameChange {}
    }

    private final Map<Path, Inode> names = new TreeMap<>();
    private final Map<Path, Inode> durableNames = new TreeMap<>();
    private final List<NameChange> unforcedNames = new ArrayList<>();
    private final Set<Path> directories = new HashSet<>();
    private Fault fault = (operation, path) -> {};
    private long capacity = Long.MAX_VALUE;
    private int operations;
    private int crashAfter = Integer.MAX_VALUE;

    /** Fails calls from now on as the fault says. */
    public synchronized void failWith(Fault newFault) {
        fault = newFault;
    }

    /** The disk is full beyond this many bytes in all. */
    public synchronized void capacity(long bytes) {
        capacity = bytes;
    }

    /** Mutating calls so far. */
    public synchronized int operations() {
        return operations;
    }

    /** After this many more mutating calls every call fails, as if the power had gone. */
    public synchronized void crashAfter(int calls) {
        crashAfter = operations + calls;
    }

    /** The disk as the next start finds it: power lost now. */
    public synchronized TestingDisk powerLoss(Random random) {
        TestingDisk next = new TestingDisk();
        Map<Path, Inode> kept = new TreeMap<>(durableNames);
        int keptNames = unforcedNames.isEmpty() ? 0 : random.nextInt(unforcedNames.size() + 1);
        for (NameChange change : unforcedNames.subList(0, keptNames)) {
            applyName(kept, change);
        }
        kept.forEach((path, inode) -> next.adopt(path, survivor(inode, random)));
        next.directories.addAll(directories);
        kept.keySet().forEach(path -> next.createDirectories(path.getParent()));
        return next;
    }

    /** The disk as the next start finds it: only the process died. */
    public synchronized TestingDisk processDeath() {
        TestingDisk next = new TestingDisk();
        names.forEach((path, inode) -> next.adopt(path, Arrays.copyOf(inode.content, inode.length)));
        next.directories.addAll(directories);
        return next;
    }

    private void adopt(Path path, byte[] bytes) {
        Inode inode = new Inode();
        inode.durable = bytes;
        inode.content = bytes.clone();
        inode.length = bytes.length;
        names.put(path, inode);
        durableNames.put(path, inode);
    }

    private static byte[] survivor(Inode inode, Random random) {
        Inode image = new Inode();
        image.content = inode.durable.clone();
        image.length = image.content.length;
        int style = random.nextInt(3);
        for (Change change : inode.unforced) {
            if (style == 0) {
                break;
            }
            switch (change) {
                case Change.Truncate(long size) -> resize(image, size);
                case Change.Write(long position, byte[] bytes) -> {
                    for (int at = 0; at < bytes.length; ) {
                        int sectorEnd = (int) ((position + at) / SECTOR * SECTOR + SECTOR - position);
                        int end = Math.min(bytes.length, sectorEnd);
                        if (style == 1 || random.nextInt(4) > 0) {
                            store(image, position + at, bytes, at, end - at);
                        }
                        at = end;
                    }
                }
            }
            if (style == 1 && random.nextInt(3) == 0) {
                break;
            }
        }
        return Arrays.copyOf(image.content, image.length);
    }

    /** The bytes of a file now. */
    public synchronized byte[] bytes(Path path) {
        Inode inode = names.get(path);
        return Arrays.copyOf(inode.content, inode.length);
    }

    /** Changes a file behind everyone's back. */
    public synchronized void overwrite(Path path, byte[] bytes) {
        adopt(path, bytes.clone());
    }

    public synchronized List<Path> files() {
        return List.copyOf(names.keySet());
    }

    private void mutate(String operation, Path path) throws IOException {
        if (operations >= crashAfter) {
            throw new IOException("the power is gone");
        }
        fault.check(operation, path);
        operations++;
    }

    @Override
    public synchronized DiskFile open(Path path) throws IOException {
        Inode inode = names.get(path);
        if (inode == null) {
            mutate("create", path);
            inode = new Inode();
            changeName(new NameChange.Put(path, inode));
        }
        return new TestingFile(path, inode);
    }

    @Override
    public synchronized DiskFile openRead(Path path) throws IOException {
        Inode inode = names.get(path);
        if (inode == null) {
            throw new NoSuchFileException(path.toString());
        }
        return new TestingFile(path, inode);
    }

    @Override
    public synchronized List<String> list(Path directory) {
        Set<String> found = new HashSet<>();
        for (Path path : names.keySet()) {
            addChild(found, directory, path);
        }
        for (Path path : directories) {
            addChild(found, directory, path);
        }
        return List.copyOf(found);
    }

    private static void addChild(Set<String> found, Path directory, Path path) {
        if (path.startsWith(directory) && !path.equals(directory)) {
            found.add(path.getName(directory.getNameCount()).toString());
        }
    }

    @Override
    public synchronized boolean exists(Path path) {
        return names.containsKey(path) || isDirectory(path);
    }

    @Override
    public synchronized boolean isDirectory(Path path) {
        return directories.contains(path)
                || names.keySet().stream().anyMatch(name -> name.startsWith(path) && !name.equals(path));
    }

    @Override
    public synchronized void createDirectories(Path directory) {
        for (Path path = directory; path != null; path = path.getParent()) {
            directories.add(path);
        }
    }

    @Override
    public synchronized void rename(Path from, Path to) throws IOException {
        mutate("rename", from);
        if (isDirectory(from)) {
            renameDirectory(from, to);
            return;
        }
        Inode inode = names.get(from);
        if (inode == null) {
            throw new NoSuchFileException(from.toString());
        }
        changeName(new NameChange.Remove(from));
        changeName(new NameChange.Put(to, inode));
    }

    private void renameDirectory(Path from, Path to) {
        List<NameChange> changes = new ArrayList<>();
        for (Path path : List.copyOf(names.keySet())) {
            if (path.startsWith(from)) {
                changes.add(new NameChange.Remove(path));
                changes.add(new NameChange.Put(to.resolve(from.relativize(path)), names.get(path)));
            }
        }
        changeName(new NameChange.Together(changes));
        for (Path path : List.copyOf(directories)) {
            if (path.startsWith(from)) {
                directories.remove(path);
                directories.add(to.resolve(from.relativize(path)));
            }
        }
    }

    @Override
    public synchronized void delete(Path path) throws IOException {
        mutate("delete", path);
        if (directories.remove(path) || isDirectory(path)) {
            return;
        }
        if (!names.containsKey(path)) {
            throw new NoSuchFileException(path.toString());
        }
        changeName(new NameChange.Remove(path));
    }

    private void changeName(NameChange change) {
        applyName(names, change);
        unforcedNames.add(change);
    }

    private static void applyName(Map<Path, Inode> target, NameChange change) {
        switch (change) {
            case NameChange.Put(Path path, Inode inode) -> target.put(path, inode);
            case NameChange.Remove(Path path) -> target.remove(path);
            case NameChange.Together(List<NameChange> changes) -> changes.forEach(each -> applyName(target, each));
        }
    }

    @Override
    public synchronized void forceDirectory(Path directory) throws IOException {
        mutate("forceDirectory", directory);
        // As a journalling file system: names become durable in the order of their changes.
        unforcedNames.forEach(change -> applyName(durableNames, change));
        unforcedNames.clear();
    }

    @Override
    public synchronized long usableSpace(Path path) {
        return Math.max(0, capacity - used());
    }

    @Override
    public synchronized long totalSpace(Path path) {
        return capacity;
    }

    private long used() {
        long sum = 0;
        for (Inode inode : names.values()) {
            sum += inode.length;
        }
        return sum;
    }

    private static void resize(Inode inode, long size) {
        int wanted = Math.toIntExact(size);
        if (wanted > inode.content.length) {
            inode.content = Arrays.copyOf(inode.content, Math.max(wanted, inode.content.length * 2));
        }
        if (wanted < inode.length) {
            Arrays.fill(inode.content, wanted, inode.length, (byte) 0);
        }
        inode.length = wanted;
    }

    private static void store(Inode inode, long position, byte[] bytes, int offset, int length) {
        int end = Math.toIntExact(position + length);
        if (end > inode.length) {
            resize(inode, end);
        }
        System.arraycopy(bytes, offset, inode.content, (int) position, length);
    }

    private final class TestingFile implements DiskFile {
        private final Path path;
        private final Inode inode;
        private boolean closed;

        TestingFile(Path path, Inode inode) {
            this.path = path;
            this.inode = inode;
        }

        @Override
        public int write(ByteBuffer source, long position) throws IOException {
            synchronized (TestingDisk.this) {
                checkOpen();
                mutate("write", path);
                int length = source.remaining();
                long growth = Math.max(0, position + length - inode.length);
                long free = capacity - used();
                if (growth > 0 && growth > free) {
                    length = (int) (length - (growth - Math.max(0, free)));
                    if (length <= 0) {
                        throw new IOException("No space left on device");
                    }
                }
                byte[] bytes = new byte[length];
                source.get(bytes);
                store(inode, position, bytes, 0, length);
                inode.unforced.add(new Change.Write(position, bytes));
                return length;
            }
        }

        @Override
        public int read(ByteBuffer target, long position) throws IOException {
            synchronized (TestingDisk.this) {
                checkOpen();
                if (position >= inode.length) {
                    return -1;
                }
                int length = (int) Math.min(target.remaining(), inode.length - position);
                target.put(inode.content, (int) position, length);
                return length;
            }
        }

        @Override
        public void force() throws IOException {
            synchronized (TestingDisk.this) {
                checkOpen();
                mutate("force", path);
                inode.durable = Arrays.copyOf(inode.content, inode.length);
                inode.unforced.clear();
            }
        }

        @Override
        public void truncate(long size) throws IOException {
            synchronized (TestingDisk.this) {
                checkOpen();
                mutate("truncate", path);
                if (size < inode.length) {
                    resize(inode, size);
                    inode.unforced.add(new Change.Truncate(size));
                }
            }
        }

        @Override
        public long size() throws IOException {
            synchronized (TestingDisk.this) {
                checkOpen();
                return inode.length;
            }
        }

        @Override
        public void close() {
            synchronized (TestingDisk.this) {
                closed = true;
            }
        }

        private void checkOpen() throws IOException {
            if (closed) {
                throw new IOException(path + " is closed");
            }
        }
    }
}
