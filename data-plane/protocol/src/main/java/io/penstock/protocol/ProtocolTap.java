package io.penstock.protocol;

/**
 * Looks on while a {@link ProtocolParser} reads, for a trace of the protocol. Arrays are lent for the call. It is told of a
 * line before the line is acted on, and of a message's content once that is complete.
 */
public interface ProtocolTap {
    /**
     * A line with arguments, or PING and PONG.
     *
     * @param verb in capital letters
     * @param offset where its arguments begin, as they were written
     * @param length 0 for PING and PONG
     */
    void line(String verb, byte[] bytes, int offset, int length);

    /**
     * The content of a PUB or HPUB.
     *
     * @param headers bytes of the header block at its beginning, 0 for PUB
     * @param length header block and payload together
     */
    void content(byte[] bytes, int offset, int headers, int length);
}
