package io.penstock.jetstream;

import io.penstock.broker.internal.InboundMessage;
import io.penstock.broker.internal.MessageOrigin;

/** A message on its way to a handler, from a client of account A. */
record TestingMessage(String subject, String reply, byte[] headers, byte[] payload) implements InboundMessage {
    @Override
    public int headersLength() {
        return headers.length;
    }

    @Override
    public int payloadLength() {
        return payload.length;
    }

    @Override
    public void copyHeaders(byte[] target, int offset) {
        System.arraycopy(headers, 0, target, offset, headers.length);
    }

    @Override
    public void copyPayload(byte[] target, int offset) {
        System.arraycopy(payload, 0, target, offset, payload.length);
    }

    @Override
    public MessageOrigin origin() {
        return new MessageOrigin("Client", 1, "A", "", "u", "test", "java", "1", "127.0.0.1", "", "", "", 0, 0);
    }
}
