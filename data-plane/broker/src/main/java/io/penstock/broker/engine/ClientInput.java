package io.penstock.broker.engine;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.CorruptedFrameException;
import io.netty.handler.codec.DecoderException;
import io.penstock.broker.ClosedReason;
import io.penstock.protocol.ProtocolParser;

/** The end of a client's pipeline. */
final class ClientInput extends WireInput {
    private final ClientConnection connection;
    private final ProtocolParser parser;

    ClientInput(ClientConnection connection) {
        super(connection);
        this.connection = connection;
        this.parser = connection.session.parser();
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        super.handlerAdded(context);
        connection.setInput(this);
    }

    @Override
    int parse(byte[] bytes, int from, int to) {
        return parser.parse(bytes, from, to);
    }

    @Override
    void trim() {
        parser.trim();
    }

    /** Reads on after the parser was resumed. */
    void readDeferred() {
        byte[] bytes = takeDeferred();
        if (bytes.length == 0) {
            return;
        }
        connection.lane.beginBurst(connection);
        int parsed = parser.parse(bytes, 0, bytes.length);
        if (parsed < bytes.length && !connection.isClosed()) {
            defer(bytes, parsed, bytes.length);
        }
        connection.lane.endBurst();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        connection.engine.log(connection, "connection failed: {}", cause.toString());
        if (cause instanceof CorruptedFrameException) {
            connection.close(ClosedReason.PROTOCOL_VIOLATION);
            return;
        }
        connection.lost(
                cause instanceof DecoderException ? ClosedReason.TLS_HANDSHAKE_FAILURE : ClosedReason.READ_ERROR);
        var _ = context.close();
    }
}
