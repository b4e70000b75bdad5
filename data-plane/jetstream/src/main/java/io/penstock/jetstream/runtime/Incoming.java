package io.penstock.jetstream.runtime;

/** What was published on its way into a stream: one message or a batch. Running it has its stream take it. On the loop. */
interface Incoming extends Runnable, Waiter {
    /** What goes into the log. */
    byte[] record();

    /** Publishes it again, to whoever takes it now. */
    void forward();

    /** Lets it go; nobody is told. */
    void drop();
}
