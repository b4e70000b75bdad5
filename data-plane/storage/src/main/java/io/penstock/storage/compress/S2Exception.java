package io.penstock.storage.compress;

import java.io.IOException;
import java.io.Serial;

/** A compressed block cannot be decoded. */
public final class S2Exception extends IOException {
    @Serial
    private static final long serialVersionUID = 1L;

    S2Exception(String message) {
        super(message);
    }
}
