package io.penstock.storage.store;

import io.penstock.storage.CorruptRecordException;
import io.penstock.storage.StorageException;
import io.penstock.storage.StorageListener;
import io.penstock.storage.StoreFactory;
import io.penstock.storage.StreamStore;
import io.penstock.storage.disk.Disk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/**
 * The streams of a node on disk:
 *
 * <pre>
 * root/&lt;account&gt;/streams/&lt;stream&gt;.&lt;incarnation&gt;/   manifest, manifest.copy, *.seg, *.sg2, *.idx
 * root/.deleted/       streams on their way out, emptied in the background
 * root/.quarantine/    what was found and not known; nobody deletes it
 * root/.incoming/      a copy of another node's streams on its way, see {@link StoreTransfer}
 * root/.roster         the streams that have a checkpoint, see {@link Roster}
 * </pre>
 *
 * <p>Names are spelt with letters, digits, {@code _} and {@code -}, other bytes as {@code %XX}; the true names stand in
 * the manifest. Owned by the loop, but for space and {@link #syncDirectories}.
 */
public final class StoreDirectory implements StoreFactory {
    static final String STREAMS = "streams";
    private static final String DELETED = ".deleted";
    private static final String QUARANTINE = ".quarantine";

    private final Disk disk;
    private final Path root;
    private final StorageListener events;
    private final StoreContext context;
    private final Map<Path, FileStreamStore> open = new HashMap<>();
    private final AtomicLong trashNumber = new AtomicLong();
    private final StoreTransfer transfer;
    private final Roster roster;

    /** Guarded by itself: directories with names that are not durable yet. */
    private final Set<Path> unforced = new HashSet<>();

    /** Guarded by unforced: directories to be emptied. */
    private final List<Path> trash = new ArrayList<>();

    private StoreDirectory(Disk disk, Path root, StoreOptions options, StorageListener events) {
        this.disk = disk;
        this.root = root;
        this.events = events;
        this.context = new StoreContext(disk, options, events);
        this.transfer = new StoreTransfer(context, this, root);
        this.roster = new Roster(context, root);
    }

    /** Opens the directory, which is made when it is missing. */
    public static StoreDirectory open(Disk disk, Path root, StoreOptions options, StorageListener events) {
        StoreDirectory directory = new StoreDirectory(disk, root, options, events);
        try {
            disk.createDirectories(root);
            directory.roster.read();
            for (String name : disk.list(root.resolve(DELETED))) {
                Path path = root.resolve(DELETED).resolve(name);
                directory.trash.add(path);
                directory.roster.remove(StoreNames.incarnation(path));
            }
            directory.trashNumber.set(System.nanoTime());
            directory.transfer.recover();
        } catch (IOException e) {
            throw new StorageException("cannot open " + root + ": " + e.getMessage(), e);
        }
        return directory;
    }

    @Override
    public List<StoredStream> list() {
        Map<String, StoredStream> newest = new HashMap<>();
        List<StoredStream> found = new ArrayList<>();
        for (Path path : streamDirectories()) {
            StoredStream stream = look(path);
            if (stream == null) {
                continue;
            }
            String key = path.getParent() + "/" + StoreNames.stream(path);
            StoredStream other = newest.get(key);
            if (other == null || other.incarnation() < stream.incarnation()) {
                newest.put(key, stream);
            }
        }
        // A stream of the same name that came later says that the earlier one was deleted.
        for (Path path : streamDirectories()) {
            StoredStream stream = newest.get(path.getParent() + "/" + StoreNames.stream(path));
            if (stream != null && StoreNames.incarnation(path) < stream.incarnation() && !open.containsKey(path)) {
                quarantine(path, "an earlier stream of a name that is in use again");
            }
        }
        found.addAll(newest.values());
        found.addAll(missing());
        return found;
    }

    /** Streams that should be here, and of which nothing is. */
    private List<StoredStream> missing() {
        List<StoredStream> missing = new ArrayList<>();
        for (Path path : roster.directories()) {
            if (!disk.isDirectory(path)) {
                missing.add(new StoredStream(
                        StoreNames.account(path),
                        StoreNames.stream(path),
                        StoreNames.incarnation(path),
                        0,
                        "its directory " + path + " is gone"));
            }
        }
        return missing;
    }

    @Override
    public void forget(long incarnation) {
        roster.remove(incarnation);
    }

    /** Streams that have no checkpoint yet, by the names of their directories: the log alone knows what is in them. */
    public List<StoredStream> withoutCheckpoint() {
        return streamDirectories().stream()
                .filter(path -> look(path) == null)
                .map(path -> new StoredStream(
                        StoreNames.account(path), StoreNames.stream(path), StoreNames.incarnation(path), 0, ""))
                .toList();
    }

    @Override
    public StoredStream find(long incarnation) {
        for (Path path : streamDirectories()) {
            StoredStream stream = StoreNames.incarnation(path) == incarnation ? look(path) : null;
            if (stream != null) {
                return stream;
            }
        }
        return null;
    }

    /** How all streams get to another node, and from there to here. */
    public StoreTransfer transfer() {
        return transfer;
    }

    List<Path> streamDirectories() {
        List<Path> found = new ArrayList<>();
        try {
            for (String account : disk.list(root)) {
                if (account.startsWith(".")) {
                    continue;
                }
                Path streams = root.resolve(account).resolve(STREAMS);
                for (String name : disk.list(streams)) {
                    Path path = streams.resolve(name);
                    if (disk.isDirectory(path) && StoreNames.incarnation(path) >= 0) {
                        found.add(path);
                    } else {
                        events.unknown(path.toString(), "not a stream; left alone");
                    }
                }
            }
        } catch (IOException e) {
            throw new StorageException("cannot list " + root + ": " + e.getMessage(), e);
        }
        return found;
    }

    /** What a directory holds; null when it has no checkpoint. */
    private StoredStream look(Path path) {
        try {
            ManifestFile file = ManifestFile.read(context, path);
            if (file == null) {
                return null;
            }
            Manifest manifest = file.manifest();
            return new StoredStream(
                    manifest.account(), manifest.stream(), manifest.incarnation(), manifest.appliedIndex(), "");
        } catch (CorruptRecordException e) {
            return new StoredStream(
                    StoreNames.account(path), StoreNames.stream(path), StoreNames.incarnation(path), 0, e.getMessage());
        } catch (IOException e) {
            throw new StorageException("cannot read " + path + ": " + e.getMessage(), e);
        }
    }

    @Override
    public StreamStore create(String account, String stream, long incarnation) {
        Path path = path(account, stream, incarnation);
        try {
            if (open.containsKey(path) || ManifestFile.read(context, path) != null) {
                throw new StorageException("stream " + stream + " exists already in " + path);
            }
            disk.createDirectories(path);
            for (String name : disk.list(path)) {
                StoreFiles.removeLeftover(context, path.resolve(name));
            }
            noteDirectories(path);
        } catch (IOException e) {
            throw new StorageException("cannot make " + path + ": " + e.getMessage(), e);
        }
        FileStreamStore store = new FileStreamStore(context, path, account, stream, incarnation, new Home());
        store.touch();
        open.put(path, store);
        return store;
    }

    /** Directories above a new stream are forced with the next checkpoint; the first stream is not to be overlooked before. */
    private void noteDirectories(Path path) throws IOException {
        boolean first = open.isEmpty();
        for (Path parent = path.getParent(); parent.startsWith(root); parent = parent.getParent()) {
            if (first) {
                disk.forceDirectory(parent);
            }
            synchronized (unforced) {
                unforced.add(parent);
            }
        }
    }

    @Override
    public StreamStore open(StoredStream stream) {
        if (stream.damaged()) {
            throw new StorageException(stream.damage());
        }
        Path path = path(stream.account(), stream.stream(), stream.incarnation());
        if (open.containsKey(path)) {
            throw new StorageException("stream " + stream.stream() + " is open already");
        }
        try {
            ManifestFile file = ManifestFile.read(context, path);
            if (file == null) {
                throw new StorageException("no checkpoint in " + path);
            }
            Manifest manifest = file.manifest();
            StoreFiles.removeLeftovers(context, path, manifest);
            FileStreamStore store = new FileStreamStore(
                    context, path, manifest.account(), manifest.stream(), manifest.incarnation(), new Home());
            store.restore(manifest, file.copyDamaged());
            open.put(path, store);
            roster.add(path, () -> true);
            return store;
        } catch (IOException e) {
            throw new StorageException("cannot open " + path + ": " + e.getMessage(), e);
        }
    }

    @Override
    public StreamStore createInMemory() {
        return new MemoryStreamStore(context.options);
    }

    @Override
    public void quarantineUnknown() {
        for (Path path : streamDirectories()) {
            try {
                if (!open.containsKey(path) && ManifestFile.read(context, path) == null) {
                    quarantine(path, "a stream without a checkpoint that the log does not know");
                }
            } catch (CorruptRecordException e) {
                events.unknown(path.toString(), "left where it is: " + e.getMessage());
            } catch (IOException e) {
                throw new StorageException("cannot read " + path + ": " + e.getMessage(), e);
            }
        }
    }

    void quarantine(Path path, String reason) {
        Path target = root.resolve(QUARANTINE)
                .resolve(StoreNames.account(path) + "." + path.getFileName() + "."
                        + Long.toHexString(trashNumber.incrementAndGet()));
        try {
            move(path, target);
            roster.remove(path);
            events.unknown(path.toString(), reason + "; moved to " + target);
        } catch (IOException e) {
            events.unknown(path.toString(), reason + "; cannot be moved: " + e.getMessage());
        }
    }

    /** Puts a directory where it is emptied later, by a name that says which stream it was. */
    void throwAway(Path path) throws IOException {
        String number = Long.toHexString(trashNumber.incrementAndGet());
        Path target = root.resolve(DELETED).resolve(number + "." + StoreNames.suffix(StoreNames.incarnation(path)));
        move(path, target);
        roster.remove(path);
        synchronized (unforced) {
            trash.add(target);
        }
    }

    private void move(Path from, Path to) throws IOException {
        disk.createDirectories(to.getParent());
        disk.rename(from, to);
        synchronized (unforced) {
            unforced.add(from.getParent());
            unforced.add(to.getParent());
            unforced.add(root);
        }
    }

    private Path path(String account, String stream, long incarnation) {
        return root.resolve(StoreNames.encode(account))
                .resolve(STREAMS)
                .resolve(StoreNames.encode(stream) + "." + StoreNames.suffix(incarnation));
    }

    @Override
    public long usedBytes() {
        return context.usedBytes.sum();
    }

    @Override
    public long usableBytes() {
        try {
            return disk.usableSpace(root);
        } catch (IOException e) {
            events.writeFailed(root.toString(), e);
            return 0;
        }
    }

    @Override
    public void syncDirectories() throws IOException {
        context.packedInRound.set(0);
        List<Path> directories;
        List<Path> emptying;
        synchronized (unforced) {
            directories = List.copyOf(unforced);
            unforced.clear();
            emptying = List.copyOf(trash);
            trash.clear();
        }
        try {
            for (Path directory : directories) {
                disk.forceDirectory(directory);
            }
            roster.write();
        } catch (IOException e) {
            synchronized (unforced) {
                unforced.addAll(directories);
                trash.addAll(emptying);
            }
            throw e;
        }
        for (Path directory : emptying) {
            StoreFiles.deleteTree(context, directory);
        }
    }

    /**
     * Reads and verifies the files the last checkpoints speak of; damage is told to the listener. Any thread but the loop.
     *
     * @param read hears of bytes read, and may wait, so that others have the disk too
     * @return how many records and files are damaged
     */
    public long scrub(LongConsumer read) throws IOException {
        return new StoreScrub(context, read).run(streamDirectories());
    }

    /** Whether a file's name is that of a segment, which has messages. */
    public static boolean isSegment(Path file) {
        String name = file.getFileName().toString();
        return name.endsWith(SegmentFiles.PLAIN) || name.endsWith(SegmentFiles.PACKED);
    }

    /** The incarnation of the stream a file belongs to, -1 when it belongs to none. */
    public static long incarnationOf(Path file) {
        Path directory = file.getParent();
        return directory == null ? -1 : StoreNames.incarnation(directory);
    }

    /** Reads and verifies every message of the open file stores; answers how many are damaged. */
    public long verify() {
        long damaged = 0;
        for (FileStreamStore store : open.values()) {
            damaged += store.verify();
        }
        return damaged;
    }

    @Override
    public void close() {
        context.handles.closeAll();
    }

    private final class Home implements FileStreamStore.Home {
        @Override
        public void checkpointed(FileStreamStore store) {
            roster.add(store.directory, () -> !store.deleted);
        }

        @Override
        public void closed(FileStreamStore store) {
            open.remove(store.directory);
        }

        @Override
        public void discard(FileStreamStore store) throws IOException {
            open.remove(store.directory);
            throwAway(store.directory);
        }
    }
}
