package io.penstock.jetstream.runtime;

import io.penstock.jetstream.state.Headers;
import io.penstock.storage.StoredMessage;

/**
 * A stored message as a receiver gets it.
 *
 * @param reply where it is acknowledged
 */
record Outgoing(String subject, String reply, byte[] headers, byte[] payload) {
    /**
     * The message with its ack subject.
     *
     * @param names stream and consumer as tokens of a subject
     * @param pending messages left behind this one
     * @param headersOnly leave the payload out and tell its size in a header
     */
    static Outgoing of(
            StoredMessage message,
            String names,
            int deliveries,
            long consumerSequence,
            long pending,
            boolean headersOnly) {
        String reply = "$JS.ACK." + names + "." + deliveries + "." + message.sequence() + "." + consumerSequence + "."
                + message.timestampNanos() + "." + pending;
        if (!headersOnly) {
            return new Outgoing(message.subject(), reply, message.headers(), message.payload());
        }
        byte[] headers = Headers.append(message.headers(), "Nats-Msg-Size: " + message.payload().length + "\r\n");
        return new Outgoing(message.subject(), reply, headers, Headers.NONE);
    }

    /** Hands it to the subscribers of {@code route}; answers whether there were any. */
    boolean deliver(AccountRuntime account, String route) {
        return account.deliver(route, subject, reply, headers, payload);
    }

    /** What it counts for in limits of bytes. */
    long size() {
        return (long) subject.length() + reply.length() + headers.length + payload.length;
    }
}
