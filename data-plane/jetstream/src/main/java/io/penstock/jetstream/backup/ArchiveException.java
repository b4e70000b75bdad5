package io.penstock.jetstream.backup;

import java.io.IOException;
import java.io.Serial;

/** An archive is not what it should be: cut, damaged, of another format, or asking for what must not be. */
public final class ArchiveException extends IOException {
    @Serial
    private static final long serialVersionUID = 1L;

    public ArchiveException(String message) {
        super(message);
    }
}
