package io.penstock.jetstream.state;

import io.penstock.protocol.jetstream.ApiError;
import java.util.List;

/**
 * What became of an atomic batch.
 *
 * @param sequence of its last message; 0 when it was refused
 * @param messages what became of each, in their order; empty when it was refused
 * @param error why it was refused as a whole, or null
 */
public record BatchResult(long sequence, List<PublishResult> messages, ApiError error) {
    static BatchResult refused(ApiError reason) {
        return new BatchResult(0, List.of(), reason);
    }
}
