package io.penstock.jetstream.runtime;

/** What was published on its way into a stream: one message or a batch. Running it has its stream take it. On the loop. */
interface Incoming extends Runnable, Waiter {
    StreamRuntime stream();

    /** Where the acknowledgement goes, or null. */
    String reply();

    /** What goes into the log. */
    byte[] record();

    /** Its stream is gone from here, and nobody passes it on. */
    void missed();

    /** Lets it go; nobody is told. */
    void drop();

    @Override
    default void moving() {
        stream().park(this);
    }

    @Override
    default void unknown(Throwable cause) {
        drop();
    }

    @Override
    default void notProposed(Throwable cause) {
        drop();
        stream().notTaken(reply());
    }
}
