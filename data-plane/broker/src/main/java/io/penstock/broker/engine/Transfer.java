package io.penstock.broker.engine;

import io.netty.buffer.ByteBuf;
import java.util.List;

/**
 * Bytes of the wire on their way to the loop of their connection.
 *
 * @param bytes owned by whoever holds the transfer
 * @param replies reply subjects the receiver may answer to by its response permission; null for none
 */
record Transfer(Wire connection, ByteBuf bytes, int messages, long messageBytes, List<String> replies) {}
