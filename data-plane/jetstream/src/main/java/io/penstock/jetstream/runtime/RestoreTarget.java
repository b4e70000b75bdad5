package io.penstock.jetstream.runtime;

import io.penstock.jetstream.state.StreamMachine;
import io.penstock.protocol.jetstream.ApiError;
import io.penstock.protocol.jetstream.StreamConfig;

/** Where a stream that comes from a backup is to live. Called on the loop. */
public interface RestoreTarget {
    /** The configuration it will have. */
    StreamConfig config();

    /** The configuration while it is brought in, in the log only this node has. */
    default StreamConfig localConfig() {
        return config();
    }

    /**
     * Sees to it that the stream may come to be; asked more than once, since much may happen meanwhile.
     *
     * @param bytes what its messages count for
     * @throws io.penstock.protocol.jetstream.JsException when it may not
     */
    void check(long bytes);

    /**
     * Makes the stream whole and shows it to everybody.
     *
     * @param stream what is there of it, hidden, in the log only this node has
     * @param end the body of the record that makes it whole
     */
    void complete(StreamMachine stream, byte[] end, Outcome outcome);

    /** How it went; one of these is told, on the loop. */
    interface Outcome {
        /** The stream is there; {@code info} shows it. */
        void done(com.fasterxml.jackson.databind.node.ObjectNode info);

        /** It is not, and what was brought in is to be removed. */
        void refused(ApiError error);

        /** It may be there or not. */
        void unknown(Throwable cause);
    }
}
