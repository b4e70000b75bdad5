package io.penstock.storage.store;

import io.penstock.storage.CorruptRecordException;
import io.penstock.storage.StorageException;
import io.penstock.storage.disk.DiskFile;
import io.penstock.storage.disk.DiskStreams;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/**
 * Copies all streams of a node's directory to another node: what their last checkpoints hold, file by file. At the
 * target everything is brought together beside the present state; a marker then says that it is whole, and only then
 * does it take the place of what was there, also after a crash half-way.
 *
 * <p>A file the target has already is not sent again: segments that agree in everything the manifest says are compared
 * by checksum.
 */
public final class StoreTransfer {
    /** The way to the node that has the files. */
    public interface Source {
        byte[] manifest() throws IOException;

        /**
         * Opens a file.
         *
         * @throws NoSuchFileException when it is gone there
         */
        InputStream open(String file) throws IOException;
    }

    static final String INCOMING = ".incoming";
    private static final String REPAIR = ".repair";
    private static final String READY = "ready";
    private static final String CHECKSUM = ".crc";
    private static final int VERSION = 1;
    private static final int PIECE = 256 << 10;

    /** How often the manifest is asked for again because a file was gone. */
    private static final int TRIES = 20;

    private final StoreContext context;
    private final StoreDirectory directory;
    private final Path root;

    StoreTransfer(StoreContext context, StoreDirectory directory, Path root) {
        this.context = context;
        this.directory = directory;
        this.root = root;
    }

    // --- source ---------------------------------------------------------------------------------------------------

    /** Describes the last checkpoints of all streams. Any thread. */
    public byte[] manifest() throws IOException {
        Encoder streams = new Encoder();
        int count = 0;
        for (Path path : directory.streamDirectories()) {
            byte[] bytes = soundManifest(path);
            if (bytes != null) {
                streams.putText(nameOf(path)).putBytes(bytes);
                count++;
            }
        }
        return new Encoder().putInt(VERSION).putInt(count).append(streams).sealed();
    }

    private byte[] soundManifest(Path path) throws IOException {
        try {
            ManifestFile file = ManifestFile.read(context, path);
            return file == null ? null : file.manifest().encode();
        } catch (CorruptRecordException e) {
            context.events.damaged(path.toString(), 0, "left out of a copy: " + e.getMessage());
            return null;
        }
    }

    private String nameOf(Path path) {
        return root.relativize(path).toString().replace('\\', '/');
    }

    /** Opens a file a manifest named, or the checksum of one. Any thread. */
    public InputStream open(String file) throws IOException {
        if (file.endsWith(CHECKSUM)) {
            String name = file.substring(0, file.length() - CHECKSUM.length());
            int colon = name.lastIndexOf(':');
            long length = Long.parseLong(name.substring(colon + 1));
            byte[] answer = new byte[8];
            Bytes.putLong(answer, 0, checksum(resolve(name.substring(0, colon)), length));
            return new ByteArrayInputStream(answer);
        }
        Path path = resolve(file);
        if (!context.disk.exists(path)) {
            throw new NoSuchFileException(file);
        }
        return DiskStreams.input(context.disk.openRead(path));
    }

    private Path resolve(String file) throws IOException {
        Path path = root.resolve(file).normalize();
        String name = path.getFileName().toString();
        if (!path.startsWith(root) || !SegmentFiles.isOne(name) || file.startsWith(".")) {
            throw new NoSuchFileException(file, null, "not a file of a stream");
        }
        return path;
    }

    /** Checksum of the first bytes of a file; -1 when it is shorter. */
    private long checksum(Path path, long length) throws IOException {
        if (!context.disk.exists(path)) {
            throw new NoSuchFileException(path.toString());
        }
        CRC32C crc = new CRC32C();
        try (DiskFile file = context.disk.openRead(path)) {
            ByteBuffer piece = ByteBuffer.allocate(PIECE);
            for (long at = 0; at < length; ) {
                piece.clear().limit((int) Math.min(PIECE, length - at));
                int read = file.readUpTo(piece, at);
                if (read == 0) {
                    return -1;
                }
                crc.update(piece.flip());
                at += read;
            }
        }
        return crc.getValue();
    }

    // --- target ---------------------------------------------------------------------------------------------------

    /** Brings all files together beside the present state; whole and durable when this returns. Not on the loop. */
    public void fetch(Source source) throws IOException {
        Path incoming = root.resolve(INCOMING);
        discard();
        context.disk.createDirectories(incoming);
        NoSuchFileException gone = null;
        for (int i = 0; i < TRIES; i++) {
            Map<String, byte[]> streams = decode(source.manifest());
            try {
                for (Map.Entry<String, byte[]> stream : streams.entrySet()) {
                    fetchStream(source, stream.getKey(), stream.getValue(), incoming);
                }
                removeOthers(incoming, streams);
                ready(incoming, streams);
                return;
            } catch (NoSuchFileException e) {
                // Compacted or deleted meanwhile: the next manifest does not name it.
                gone = e;
            }
        }
        throw new IOException("the source's files keep changing; last missing: " + gone.getMessage(), gone);
    }

    private static Map<String, byte[]> decode(byte[] bytes) throws IOException {
        if (!Decoder.sound(bytes)) {
            throw new IOException("the manifest of the copy is damaged");
        }
        Decoder in = new Decoder(bytes);
        int version = in.getInt();
        if (version != VERSION) {
            throw new IOException("the manifest of the copy has version " + version + ", this server reads " + VERSION);
        }
        Map<String, byte[]> streams = new TreeMap<>();
        for (int left = in.getInt(); left > 0; left--) {
            streams.put(in.getText(), in.getBytes());
        }
        return streams;
    }

    private void fetchStream(Source source, String name, byte[] bytes, Path base) throws IOException {
        Manifest manifest = Manifest.decode(bytes);
        Path own = root.resolve(name).normalize();
        Path target = base.resolve(name).normalize();
        if (manifest == null || !own.startsWith(root) || StoreNames.incarnation(target) != manifest.incarnation()) {
            throw new IOException("the manifest of " + name + " is damaged");
        }
        context.disk.createDirectories(target);
        Map<Long, Manifest.BlockEntry> here = ownBlocks(own);
        for (Manifest.BlockEntry block : manifest.blocks()) {
            String segment = block.segmentName();
            int length = block.fileBytes();
            boolean reuse = same(block, here.get(block.id()))
                    && sameBytes(source, name + "/" + segment, own.resolve(segment), length);
            fetchFile(source, name + "/" + segment, own.resolve(segment), target.resolve(segment), length, reuse);
            if (block.sealed()) {
                String index = FileBlock.indexName(block.id());
                fetchFile(source, name + "/" + index, own.resolve(index), target.resolve(index), -1, reuse);
            }
        }
        write(target.resolve(Manifest.COPY), bytes);
        write(target.resolve(Manifest.NAME), bytes);
        context.disk.forceDirectory(target);
    }

    private Map<Long, Manifest.BlockEntry> ownBlocks(Path own) {
        Map<Long, Manifest.BlockEntry> blocks = new TreeMap<>();
        try {
            ManifestFile file = context.disk.isDirectory(own) ? ManifestFile.read(context, own) : null;
            if (file != null) {
                file.manifest().blocks().forEach(block -> blocks.put(block.id(), block));
            }
        } catch (IOException | CorruptRecordException e) {
            context.events.damaged(own.toString(), 0, "nothing of it is used for a copy: " + e.getMessage());
        }
        return blocks;
    }

    private static boolean same(Manifest.BlockEntry a, Manifest.BlockEntry b) {
        return b != null
                && a.sealed()
                && b.sealed()
                && a.base() == b.base()
                && a.last() == b.last()
                && a.count() == b.count()
                && a.length() == b.length()
                && a.packed() == b.packed()
                && a.firstTimestamp() == b.firstTimestamp()
                && a.lastTimestamp() == b.lastTimestamp();
    }

    private boolean sameBytes(Source source, String file, Path own, long length) throws IOException {
        try {
            long here = checksum(own, length);
            try (InputStream in = source.open(file + ":" + length + CHECKSUM)) {
                byte[] there = in.readNBytes(8);
                return there.length == 8 && here >= 0 && Bytes.getLong(there, 0) == here;
            }
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    /** Brings a file, {@code length} bytes of it or all when that is -1; one that is here already stays. */
    private void fetchFile(Source source, String file, Path own, Path target, long length, boolean reuse)
            throws IOException {
        if (context.disk.exists(target) && hasLength(target, length)) {
            return;
        }
        try (InputStream in =
                reuse && context.disk.exists(own) ? DiskStreams.input(context.disk.openRead(own)) : source.open(file)) {
            write(target, in, length, file);
        } catch (NoSuchFileException e) {
            if (length >= 0) {
                throw e;
            }
            // An index is made anew from the records.
        }
    }

    private boolean hasLength(Path path, long length) throws IOException {
        if (length < 0) {
            return true;
        }
        try (DiskFile file = context.disk.openRead(path)) {
            return file.size() == length;
        }
    }

    private void write(Path target, InputStream in, long length, String name) throws IOException {
        byte[] piece = new byte[PIECE];
        long at = 0;
        try (DiskFile out = context.disk.open(target)) {
            out.truncate(0);
            while (length < 0 || at < length) {
                int wanted = length < 0 ? PIECE : (int) Math.min(PIECE, length - at);
                int read = in.readNBytes(piece, 0, wanted);
                if (read == 0) {
                    break;
                }
                out.writeFully(ByteBuffer.wrap(piece, 0, read), at);
                at += read;
            }
            out.force();
        }
        if (length >= 0 && at < length) {
            throw new IOException(name + " has " + at + " bytes at its source, and should have " + length);
        }
    }

    private void write(Path target, byte[] bytes) throws IOException {
        try (DiskFile out = context.disk.open(target)) {
            out.truncate(0);
            out.writeFully(ByteBuffer.wrap(bytes), 0);
            out.force();
        }
    }

    /** What an earlier manifest named and the last one does not. */
    private void removeOthers(Path incoming, Map<String, byte[]> streams) throws IOException {
        for (String account : context.disk.list(incoming)) {
            Path home = incoming.resolve(account).resolve(StoreDirectory.STREAMS);
            for (String stream : context.disk.list(home)) {
                byte[] bytes = streams.get(account + "/" + StoreDirectory.STREAMS + "/" + stream);
                if (bytes == null) {
                    StoreFiles.deleteTree(context, home.resolve(stream));
                } else {
                    StoreFiles.removeLeftovers(context, home.resolve(stream), Manifest.decode(bytes));
                }
            }
        }
    }

    /** From here on the copy is what counts. */
    private void ready(Path incoming, Map<String, byte[]> streams) throws IOException {
        for (String account : context.disk.list(incoming)) {
            context.disk.forceDirectory(incoming.resolve(account).resolve(StoreDirectory.STREAMS));
            context.disk.forceDirectory(incoming.resolve(account));
        }
        context.disk.forceDirectory(incoming);
        context.disk.forceDirectory(root);
        Encoder names = new Encoder().putInt(streams.size());
        streams.keySet().forEach(names::putText);
        write(incoming.resolve(READY + Manifest.TEMPORARY), names.sealed());
        context.disk.rename(incoming.resolve(READY + Manifest.TEMPORARY), incoming.resolve(READY));
    }

    // --- one stream -------------------------------------------------------------------------------------------

    /** Whether a manifest names no stream. */
    public static boolean isEmpty(byte[] manifest) {
        Decoder in = new Decoder(manifest);
        in.getInt();
        return in.getInt() == 0;
    }

    /** Describes the last checkpoint of one stream, as {@link #manifest} does all; any thread. */
    public byte[] manifest(long incarnation) throws IOException {
        Encoder streams = new Encoder();
        int count = 0;
        for (Path path : directory.streamDirectories()) {
            byte[] bytes = StoreNames.incarnation(path) == incarnation ? soundManifest(path) : null;
            if (bytes != null) {
                streams.putText(nameOf(path)).putBytes(bytes);
                count++;
            }
        }
        return new Encoder().putInt(VERSION).putInt(count).append(streams).sealed();
    }

    /**
     * Fetches one stream beside the present state, durable when this returns. Not on the loop, one at a time.
     *
     * @return where it lies among the streams
     * @throws NoSuchFileException when the source does not have it
     */
    public String fetchOne(Source source) throws IOException {
        Path repair = root.resolve(REPAIR);
        NoSuchFileException gone = null;
        for (int i = 0; i < TRIES; i++) {
            StoreFiles.deleteTree(context, repair);
            context.disk.createDirectories(repair);
            Map<String, byte[]> streams = decode(source.manifest());
            if (streams.isEmpty()) {
                throw new NoSuchFileException("stream", null, "the source does not have it");
            }
            if (streams.size() > 1) {
                throw new IOException("the source gives more than one stream");
            }
            Map.Entry<String, byte[]> stream = streams.entrySet().iterator().next();
            try {
                fetchStream(source, stream.getKey(), stream.getValue(), repair);
                return stream.getKey();
            } catch (NoSuchFileException e) {
                gone = e;
            }
        }
        throw new IOException("the source's files keep changing; last missing: " + gone.getMessage(), gone);
    }

    /**
     * Puts a stream that was fetched in the place of what is there, which goes into quarantine. On the loop, with the
     * stream closed. A crash half-way leaves no stream, and its checkpoint behind: it is fetched again.
     */
    public void installOne(String name) throws IOException {
        Path from = root.resolve(REPAIR).resolve(name);
        Path to = root.resolve(name);
        if (context.disk.isDirectory(to)) {
            directory.quarantine(to, "replaced by a copy from another replica");
        }
        context.disk.createDirectories(to.getParent());
        context.disk.rename(from, to);
        context.disk.forceDirectory(to.getParent());
        context.disk.forceDirectory(to.getParent().getParent());
    }

    /** Drops what was fetched. */
    public void discard() throws IOException {
        Path incoming = root.resolve(INCOMING);
        if (context.disk.exists(incoming.resolve(READY))) {
            context.disk.delete(incoming.resolve(READY));
            context.disk.forceDirectory(incoming);
        }
        StoreFiles.deleteTree(context, incoming);
    }

    /**
     * Puts what was fetched in the place of what is there; durable when it returns. On the loop, with every store closed.
     * Streams the copy does not have go into quarantine.
     */
    public void install() throws IOException {
        Path incoming = root.resolve(INCOMING);
        // The marker counts from here on: a crash half-way is taken up again at the next start.
        context.disk.forceDirectory(incoming);
        List<String> names = readyNames(incoming);
        if (names == null) {
            throw new StorageException("there is no whole copy in " + incoming);
        }
        for (Path path : directory.streamDirectories()) {
            String name = nameOf(path);
            if (!names.contains(name)) {
                directory.quarantine(path, "a stream the copy of the group does not have");
            } else if (context.disk.isDirectory(incoming.resolve(name))) {
                directory.throwAway(path);
            }
        }
        List<Path> changed = new ArrayList<>(List.of(root));
        for (String name : names) {
            Path from = incoming.resolve(name);
            if (context.disk.isDirectory(from)) {
                Path to = root.resolve(name);
                context.disk.createDirectories(to.getParent());
                context.disk.rename(from, to);
                changed.add(to.getParent());
                changed.add(to.getParent().getParent());
            }
        }
        for (Path path : changed.stream().distinct().toList()) {
            context.disk.forceDirectory(path);
        }
        discard();
    }

    /** Ends what a crash left half-way; before any store is opened. */
    void recover() throws IOException {
        if (readyNames(root.resolve(INCOMING)) != null) {
            install();
        } else {
            discard();
        }
    }

    private List<String> readyNames(Path incoming) throws IOException {
        byte[] bytes = FileStreamStore.readFile(context, incoming.resolve(READY));
        if (bytes == null || !Decoder.sound(bytes)) {
            return null;
        }
        Decoder in = new Decoder(bytes);
        List<String> names = new ArrayList<>();
        for (int left = in.getInt(); left > 0; left--) {
            names.add(in.getText());
        }
        return names;
    }
}
