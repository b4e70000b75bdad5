package io.penstock.jetstream.cluster;

import io.penstock.jetstream.state.ByteReader;
import io.penstock.jetstream.state.ByteWriter;
import io.penstock.storage.StorageException;
import io.penstock.storage.disk.Disk;
import io.penstock.storage.disk.DiskFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a node keeps of the cluster beside the metadata's log. Every file ends with a checksum and is replaced as a whole.
 *
 * <pre>
 * node             this node's incarnation
 * founding         when and with whom the cluster was formed
 * hosted           groups this node ever had a replica of
 * snapshot-&lt;index&gt; the metadata up to an entry
 * </pre>
 */
final class MetaStore {
    private static final Logger LOG = LoggerFactory.getLogger(MetaStore.class);
    private static final String SNAPSHOT = "snapshot-";
    private static final String DAMAGED = ".damaged";
    private static final int CHECKSUM = 8;

    /** How a cluster was formed, its first nodes' incarnations by name; the same on nodes that joined later. */
    record Founding(long origin, Map<String, String> voters) {
        byte[] encode() {
            ByteWriter out = new ByteWriter(128).varint(origin).varint(voters.size());
            new TreeMap<>(voters).forEach((name, incarnation) -> out.text(name).text(incarnation));
            return out.toBytes();
        }

        static Founding decode(byte[] bytes) {
            ByteReader in = new ByteReader(bytes);
            long origin = in.varint();
            Map<String, String> voters = new TreeMap<>();
            for (int i = in.length(); i > 0; i--) {
                voters.put(in.text(), in.text());
            }
            return new Founding(origin, voters);
        }
    }

    /** The metadata up to an entry. */
    record Snapshot(long index, byte[] state) {}

    private final Disk disk;
    private final Path directory;

    MetaStore(Disk disk, Path directory) {
        this.disk = disk;
        this.directory = directory;
        try {
            disk.createDirectories(directory);
        } catch (IOException e) {
            throw failed("make", directory, e);
        }
    }

    private static StorageException failed(String what, Path path, IOException e) {
        return new StorageException("cannot " + what + " " + path + ": " + e.getMessage(), e);
    }

    // --- small files ----------------------------------------------------------------------------------------------

    String incarnation() {
        byte[] bytes = read("node");
        return bytes == null ? null : new ByteReader(bytes).text();
    }

    void incarnation(String incarnation) {
        write("node", new ByteWriter(64).text(incarnation).toBytes());
    }

    Founding founding() {
        byte[] bytes = read("founding");
        return bytes == null ? null : Founding.decode(bytes);
    }

    void founding(Founding founding) {
        write("founding", founding.encode());
    }

    Set<String> hosted() {
        byte[] bytes = read("hosted");
        return bytes == null ? new TreeSet<>() : new TreeSet<>(MetaRecord.texts(new ByteReader(bytes)));
    }

    void hosted(Set<String> groups) {
        write(
                "hosted",
                MetaRecord.texts(new ByteWriter(256), List.copyOf(groups)).toBytes());
    }

    // --- snapshots ------------------------------------------------------------------------------------------------

    /**
     * The newest snapshot, null when there is none.
     *
     * @throws StorageException when it is damaged; it is put aside then
     */
    Snapshot snapshot() {
        String newest = newest();
        if (newest == null) {
            return null;
        }
        byte[] state = read(newest);
        return new Snapshot(index(newest), state);
    }

    static long index(String name) {
        return Long.parseUnsignedLong(name.substring(SNAPSHOT.length()), 16);
    }

    String newest() {
        return snapshots().stream().max(Comparator.naturalOrder()).orElse(null);
    }

    private List<String> snapshots() {
        try {
            return disk.list(directory).stream()
                    .filter(n -> n.matches(SNAPSHOT + "[0-9a-f]{16}"))
                    .toList();
        } catch (IOException e) {
            throw failed("list", directory, e);
        }
    }

    /** Writes a snapshot and removes those before it. Any thread, one at a time. */
    void snapshot(Snapshot snapshot) {
        String name = SNAPSHOT + String.format("%016x", snapshot.index());
        write(name, snapshot.state());
        try {
            for (String other : snapshots()) {
                if (other.compareTo(name) < 0) {
                    disk.delete(directory.resolve(other));
                }
            }
        } catch (IOException e) {
            LOG.warn("an old snapshot of the metadata stays: {}", e.toString());
        }
    }

    /** A snapshot's bytes for another node. */
    InputStream open(String name) throws IOException {
        if (!snapshots().contains(name)) {
            throw new NoSuchFileException(name);
        }
        return new ByteArrayInputStream(read(name));
    }

    /** Puts everything but this node's name aside: it begins anew. */
    void forget() {
        try {
            for (String name : new ArrayList<>(disk.list(directory))) {
                if (!name.endsWith(DAMAGED)) {
                    disk.rename(directory.resolve(name), directory.resolve(name + DAMAGED));
                }
            }
            disk.forceDirectory(directory);
        } catch (IOException e) {
            throw failed("put aside the files of", directory, e);
        }
    }

    // --- files ----------------------------------------------------------------------------------------------------

    private byte[] read(String name) {
        Path path = directory.resolve(name);
        if (!disk.exists(path)) {
            return null;
        }
        try (DiskFile file = disk.openRead(path)) {
            int size = Math.toIntExact(file.size());
            ByteBuffer bytes = ByteBuffer.allocate(size);
            file.readFully(bytes, 0);
            bytes.flip();
            if (size < CHECKSUM || bytes.getLong(size - CHECKSUM) != checksum(bytes.array(), size - CHECKSUM)) {
                throw new StorageException("damaged: " + path + ", its checksum does not match");
            }
            byte[] content = new byte[size - CHECKSUM];
            bytes.get(0, content);
            return content;
        } catch (IOException e) {
            throw failed("read", path, e);
        }
    }

    private void write(String name, byte[] content) {
        Path temporary = directory.resolve(name + ".tmp");
        ByteBuffer bytes = ByteBuffer.allocate(content.length + CHECKSUM);
        bytes.put(content).putLong(checksum(content, content.length)).flip();
        try {
            try (DiskFile file = disk.open(temporary)) {
                file.truncate(0);
                file.writeFully(bytes, 0);
                file.force();
            }
            disk.rename(temporary, directory.resolve(name));
            disk.forceDirectory(directory);
        } catch (IOException e) {
            throw failed("write", directory.resolve(name), e);
        }
    }

    private static long checksum(byte[] bytes, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, length);
        return crc.getValue();
    }
}
