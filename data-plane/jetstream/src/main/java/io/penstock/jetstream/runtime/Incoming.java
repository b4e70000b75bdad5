package io.penstock.jetstream.runtime;

/** What was published on its way into a stream: one message or a batch. Running it has its stream take it. On the loop. */
interface Incoming extends Runnable, Waiter {
    /** What goes into the log. */
    byte[] record();

    /** Its stream is in another group by now: publishes it again to whoever takes it, or lets it go. */
    void forward();

    /** Lets it go; nobody is told. */
    void drop();
}
