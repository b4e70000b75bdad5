package io.penstock.broker.sharing;

/** What an active import put into the interest graphs. */
interface Wiring extends AutoCloseable {
    /** Takes it out again. */
    @Override
    void close();
}
