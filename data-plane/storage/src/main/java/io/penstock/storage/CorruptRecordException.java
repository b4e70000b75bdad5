package io.penstock.storage;

import java.io.Serial;

/** Bytes on disk do not carry their checksum. Never skipped silently. */
public class CorruptRecordException extends StorageException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final String file;
    private final long offset;

    public CorruptRecordException(String file, long offset, String detail) {
        super("damaged record in " + file + " at offset " + offset + ": " + detail);
        this.file = file;
        this.offset = offset;
    }

    public String file() {
        return file;
    }

    public long offset() {
        return offset;
    }
}
