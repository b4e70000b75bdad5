package io.penstock.storage.disk;

import io.penstock.storage.StorageException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * A disk whose files are encrypted, each with a key of its own; names and sizes are not. It guards disks that are stolen,
 * sold or copied once. Whoever reads the same disk again and again may learn what differs where a file was cut and
 * written again at the same place, and nothing here tells deliberate changes from what was written: the checksums of what
 * is stored tell accidents.
 */
public final class EncryptedDisk extends ForwardingDisk {
    private static final String MARK = "encryption";
    private static final String FRESH = MARK + ".new";
    private static final byte[] TEXT = "penstock encrypted store 1".getBytes(StandardCharsets.US_ASCII);

    private final StoreKeys keys;

    private EncryptedDisk(Disk disk, StoreKeys keys) {
        super(disk);
        this.keys = keys;
    }

    /**
     * The disk a store is used with. Whether a store is encrypted is decided when it is made.
     *
     * @param keys null for none
     * @throws StorageException when the store has been made otherwise, or with other keys
     */
    public static Disk of(Disk disk, Path store, StoreKeys keys) {
        Path mark = store.resolve(MARK);
        try {
            boolean encrypted = disk.exists(mark);
            if (keys == null) {
                if (encrypted) {
                    throw new StorageException(
                            "the store " + store + " is encrypted and there is no key: set it, jetstream { key: … }");
                }
                return disk;
            }
            EncryptedDisk made = new EncryptedDisk(disk, keys);
            if (encrypted) {
                made.checkMark(store, mark);
            } else if (List.of(FRESH).containsAll(disk.list(store))) {
                made.writeMark(store, mark);
            } else {
                throw new StorageException("the store " + store
                        + " was made without a key and cannot be encrypted as it is: move the folder away and start with an"
                        + " empty one; what has replicas comes from the other nodes, other streams with a backup");
            }
            return made;
        } catch (IOException e) {
            throw new StorageException("whether " + store + " is encrypted cannot be read: " + e.getMessage(), e);
        }
    }

    private void checkMark(Path store, Path mark) throws IOException {
        ByteBuffer header = ByteBuffer.allocate(FileHeader.BYTES);
        try (DiskFile file = disk.openRead(mark)) {
            file.readUpTo(header, 0);
        }
        FileHeader known = FileHeader.decode(header);
        if (known == null) {
            throw damaged(mark, store);
        }
        if (!keys.knows(known.key())) {
            throw new StorageException(
                    "the store " + store
                            + " was encrypted with another key: set that, as jetstream { key: … }, or as prev_key beside a new one");
        }
        byte[] text = new byte[TEXT.length];
        try (DiskFile file = openRead(mark)) {
            file.readUpTo(ByteBuffer.wrap(text), 0);
        }
        if (!Arrays.equals(text, TEXT)) {
            throw damaged(mark, store);
        }
        if (!Arrays.equals(known.key(), keys.id())) {
            writeMark(store, mark);
        }
    }

    private static StorageException damaged(Path mark, Path store) {
        return new StorageException(
                mark + " is damaged: restore it from any copy, or move the folder " + store + " away");
    }

    private void writeMark(Path store, Path mark) throws IOException {
        disk.createDirectories(store);
        Path fresh = store.resolve(FRESH);
        try (DiskFile file = open(fresh)) {
            file.truncate(0);
            file.writeFully(ByteBuffer.wrap(TEXT), 0);
            file.force();
        }
        disk.rename(fresh, mark);
        disk.forceDirectory(store);
    }

    @Override
    public DiskFile open(Path path) throws IOException {
        return EncryptedFile.open(path, disk.open(path), keys, true);
    }

    @Override
    public DiskFile openRead(Path path) throws IOException {
        return EncryptedFile.open(path, disk.openRead(path), keys, false);
    }

    @Override
    public boolean reusesSpace() {
        return false;
    }
}
