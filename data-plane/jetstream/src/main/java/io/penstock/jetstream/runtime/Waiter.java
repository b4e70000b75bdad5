package io.penstock.jetstream.runtime;

/** Who waits for a record to be applied. Called on the loop. */
public interface Waiter {
    /** Nobody waits. */
    Waiter NOBODY = (result) -> {};

    /** The record was applied; {@code result} is what {@code StreamSet.apply} answered. */
    void applied(Object result);

    /** There is no outcome: the record may have been committed or not. */
    default void unknown(Throwable cause) {}
}
