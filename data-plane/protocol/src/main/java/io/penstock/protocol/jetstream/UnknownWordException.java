package io.penstock.protocol.jetstream;

import java.io.Serial;
import java.util.function.Function;

/** A word stands in JSON where one of a fixed set is expected. */
final class UnknownWordException extends IllegalArgumentException {
    @Serial
    private static final long serialVersionUID = 1L;

    UnknownWordException(String word) {
        this("can not unmarshal \"\\\"" + word + "\\\"\"", (Throwable) null);
    }

    private UnknownWordException(String message, Throwable cause) {
        super(message, cause);
    }

    /** The value that {@code word} stands for. */
    static <E> E find(E[] values, Function<E, String> wire, String word) {
        for (E value : values) {
            if (wire.apply(value).equals(word)) {
                return value;
            }
        }
        throw new UnknownWordException(word);
    }

    /** With a message of its own. */
    static UnknownWordException saying(String message) {
        return new UnknownWordException(message, (Throwable) null);
    }
}
