package io.penstock.broker.internal;

/**
 * A message as it reaches a subscriber inside the server. Valid only during the call that hands it over: what is kept
 * must be copied. Subjects are strings of wire bytes (ISO-8859-1).
 */
public interface InboundMessage {
    String subject();

    /** Reply subject, or null. */
    String reply();

    /** Length of the header block, 0 when there is none. */
    int headersLength();

    int payloadLength();

    /** Copies the header block. */
    void copyHeaders(byte[] target, int offset);

    /** Copies the payload, without headers. */
    void copyPayload(byte[] target, int offset);

    /** Who published it. */
    MessageOrigin origin();
}
