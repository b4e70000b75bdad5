package io.penstock.claims;

/** A text that is no nkey of the wanted kind. The message never contains the text itself: it may be a seed. */
public final class NKeyException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    NKeyException(String message) {
        super(message);
    }
}
