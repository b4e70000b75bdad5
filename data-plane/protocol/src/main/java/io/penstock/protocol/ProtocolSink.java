package io.penstock.protocol;

/**
 * Takes the operations a {@link ProtocolParser} reads. Arrays are lent for the call: what is kept must be copied. A sink
 * that calls {@link ProtocolParser#stop} inside a call gets no further ones until {@link ProtocolParser#resume}.
 */
public interface ProtocolSink {
    /**
     * Another operation than CONNECT is about to be read although CONNECT was awaited. The sink decides whether the
     * connection may go on without it; if it cannot say yet it stops the parser.
     */
    void onImplicitConnect();

    /** The JSON text of CONNECT. */
    void onConnect(byte[] bytes, int offset, int length);

    void onPing();

    void onPong();

    /**
     * @param queueLength 0 when there is no queue
     */
    void onSubscribe(
            byte[] bytes,
            int subjectOffset,
            int subjectLength,
            int queueOffset,
            int queueLength,
            int sidOffset,
            int sidLength);

    /** @param max deliveries after which to end, 0 or less for now */
    void onUnsubscribe(byte[] bytes, int sidOffset, int sidLength, int max);

    /** A whole message; its parts are described by the parser's accessors, all within {@code bytes}. */
    void onPublish(ProtocolParser message, byte[] bytes);

    /** The stream cannot be read on; nothing further is called. */
    void onFailure(ParseFailure failure);
}
