package io.penstock.storage.disk;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import javax.crypto.SecretKey;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A file with a header in front; behind it every byte is where it is in the plain file, enciphered. */
final class EncryptedFile implements DiskFile {
    private static final Logger LOG = LoggerFactory.getLogger(EncryptedFile.class);
    private static final int CHUNK_BYTES = 64 << 10;
    private static final ThreadLocal<byte[]> CHUNK = ThreadLocal.withInitial(() -> new byte[CHUNK_BYTES]);

    /** The key stream of a file. */
    private record Stream(StoreCipher cipher, SecretKey key) {}

    private final Path path;
    private final DiskFile file;
    private final StoreKeys keys;

    /** Null while there is no header: the file is empty and open for reading only, or beginning it has failed. */
    private volatile Stream stream;

    /** Whether there is something behind a header that cannot be read. */
    private boolean damaged;

    private EncryptedFile(Path path, DiskFile file, StoreKeys keys) {
        this.path = path;
        this.file = file;
        this.keys = keys;
    }

    static EncryptedFile open(Path path, DiskFile file, StoreKeys keys, boolean writable) throws IOException {
        EncryptedFile opened = new EncryptedFile(path, file, keys);
        try {
            opened.readHeader(writable);
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
        return opened;
    }

    private void readHeader(boolean writable) throws IOException {
        FileHeader header = null;
        long size = file.size();
        if (size >= FileHeader.BYTES) {
            ByteBuffer bytes = ByteBuffer.allocate(FileHeader.BYTES);
            file.readFully(bytes, 0);
            header = FileHeader.decode(bytes);
        }
        if (header != null) {
            SecretKey key = keys.fileKey(header.cipher(), header.key(), header.salt());
            if (key == null) {
                throw new IOException(path + " was encrypted with another key than the store's 'key' and 'prev_key'");
            }
            stream = new Stream(header.cipher(), key);
        } else if (size > FileHeader.BYTES) {
            // The header is on disk before anything is written behind it. What can only be read is as good as empty.
            String detail = "the header of the encrypted file " + path + " is damaged: nothing in it can be read";
            if (writable) {
                throw new EOFException(detail);
            }
            LOG.error(detail);
            damaged = true;
        } else if (writable) {
            begin();
        }
    }

    /** A key of its own for what is written from now on, on disk before it is used. */
    private void begin() throws IOException {
        FileHeader header = new FileHeader(keys.cipher(), keys.id(), keys.newSalt());
        stream = null;
        file.truncate(0);
        file.force();
        file.writeFully(header.encode(), 0);
        file.force();
        stream = new Stream(header.cipher(), keys.fileKey(header.cipher(), header.key(), header.salt()));
    }

    @Override
    public int write(ByteBuffer source, long position) throws IOException {
        if (stream == null) {
            begin();
        }
        byte[] chunk = CHUNK.get();
        int length = Math.min(source.remaining(), CHUNK_BYTES);
        source.get(source.position(), chunk, 0, length);
        stream.cipher().apply(stream.key(), position, chunk, length);
        int written = file.write(ByteBuffer.wrap(chunk, 0, length), FileHeader.BYTES + position);
        source.position(source.position() + written);
        return written;
    }

    @Override
    public int read(ByteBuffer target, long position) throws IOException {
        Stream known = stream;
        if (known == null) {
            return -1;
        }
        byte[] chunk = CHUNK.get();
        int length = Math.min(target.remaining(), CHUNK_BYTES);
        int read = file.read(ByteBuffer.wrap(chunk, 0, length), FileHeader.BYTES + position);
        if (read > 0) {
            known.cipher().apply(known.key(), position, chunk, read);
            target.put(chunk, 0, read);
        }
        return read;
    }

    @Override
    public void force() throws IOException {
        file.force();
    }

    @Override
    public void truncate(long size) throws IOException {
        if (size > 0) {
            file.truncate(FileHeader.BYTES + size);
        } else if (stream == null || file.size() > FileHeader.BYTES) {
            begin();
        }
    }

    @Override
    public long size() throws IOException {
        return damaged ? 0 : Math.max(file.size() - FileHeader.BYTES, 0);
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
