package io.penstock.storage;

import java.io.IOException;
import java.io.Serial;

/** The disk refused or failed: full, read-only, I/O error. The message names the file. */
public class StorageException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    public StorageException(String message, IOException cause) {
        super(message, cause);
    }

    public StorageException(String message) {
        super(message);
    }
}
