package io.penstock.broker.engine;

import io.netty.channel.Channel;

/** Reasons not to read from a socket; it is read while there is none. On the connection's loop. */
final class ReadHolds {
    /** Authentication is under way. */
    static final int AUTHENTICATING = 1;
    /** A receiver lags. */
    static final int STALLED = 2;
    /** The inbox of a receiver's loop is full. */
    static final int INBOX = 4;
    /** A receiver is a little behind. */
    static final int RECEIVER = 8;

    private final Channel channel;
    private int held;

    ReadHolds(Channel channel) {
        this.channel = channel;
    }

    /** False when it was held for this reason already. */
    boolean add(int reason) {
        boolean added = (held & reason) == 0;
        held |= reason;
        channel.config().setAutoRead(false);
        return added;
    }

    void remove(int reason) {
        held &= ~reason;
        if (held == 0) {
            channel.config().setAutoRead(true);
        }
    }

    void clear() {
        remove(held);
    }
}
