package io.penstock.protocol.jetstream;

import java.io.Serial;

/** A word stands in JSON where one of a fixed set is expected. */
final class UnknownWordException extends IllegalArgumentException {
    @Serial
    private static final long serialVersionUID = 1L;

    UnknownWordException(String word) {
        super("can not unmarshal \"\\\"" + word + "\\\"\"");
    }
}
