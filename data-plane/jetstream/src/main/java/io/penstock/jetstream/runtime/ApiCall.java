package io.penstock.jetstream.runtime;

import io.penstock.broker.internal.MessageOrigin;

/**
 * A request to the API.
 *
 * @param subject the subject without a domain: begins with {@code $JS.API.}
 * @param reply where the answer goes; null when nobody wants one
 * @param heard when it reached this node, by its steady clock: who leads only since then lets it be, for whoever led then
 *     answers it, and nothing is done twice
 */
public record ApiCall(
        AccountRuntime account,
        String subject,
        String reply,
        byte[] headers,
        byte[] body,
        MessageOrigin origin,
        long heard) {
    /** The token of the subject that names a stream, as it stands there; null when there is none. */
    static String stream(String subject) {
        String[] tokens = subject.split("\\.", -1);
        if (tokens.length < 5) {
            return null;
        }
        boolean deeper = switch (tokens[2] + "." + tokens[3]) {
            case "STREAM.MSG", "STREAM.PEER", "STREAM.LEADER", "CONSUMER.DURABLE", "CONSUMER.MSG", "CONSUMER.LEADER" ->
                true;
            default -> false;
        };
        int at = deeper ? 5 : 4;
        return at < tokens.length ? tokens[at] : null;
    }
}
