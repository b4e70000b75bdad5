package io.penstock.jetstream.runtime;

import io.penstock.protocol.jetstream.InvalidJsonException;
import io.penstock.protocol.jetstream.JsError;
import io.penstock.protocol.jetstream.StreamConfig;

/** Requests of the API that concern the cluster rather than one stream. */
public interface ClusterApi {
    /**
     * Deals with a request, when it is of this kind; on the loop.
     *
     * @param tokens of the subject, {@code $JS} and {@code API} first
     * @throws InvalidJsonException when the body cannot be read
     * @return true when it is answered, or will be by this node or another; false when it is up to the stream's leader
     */
    boolean handle(ApiCall call, String[] tokens) throws InvalidJsonException;

    /**
     * Where a stream is to live that comes from a backup; asked when {@link #handle} left the request.
     *
     * @throws io.penstock.protocol.jetstream.JsException when it may not come to be
     */
    default RestoreTarget restore(ApiCall call, StreamConfig asked) {
        throw JsError.STREAM_RESTORE.raise("nobody here places streams in the cluster");
    }
}
