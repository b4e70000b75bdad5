package io.penstock.jetstream.runtime;

/** Who waits for a record to be applied. Called on the loop. */
public interface Waiter {
    /** Nobody waits. */
    Waiter NOBODY = (result) -> {};

    /** The record was applied; {@code result} is what {@code StreamSet.apply} answered. */
    void applied(Object result);

    /** The record came to a stream that is on its way to another group: nothing changed. */
    default void moving() {
        unknown(new IllegalStateException("the stream is on its way to another group"));
    }

    /** There is no outcome: the record may have been committed or not. */
    default void unknown(Throwable cause) {}

    /** The record is surely not in the log and never will be: whoever asked may ask again, here or elsewhere. */
    default void notProposed(Throwable cause) {
        unknown(cause);
    }
}
