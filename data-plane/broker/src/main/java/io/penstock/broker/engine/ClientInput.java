package io.penstock.broker.engine;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.CorruptedFrameException;
import io.netty.handler.codec.DecoderException;
import io.netty.util.ReferenceCountUtil;
import io.penstock.broker.ClosedReason;
import io.penstock.protocol.ProtocolParser;
import java.util.Arrays;

/**
 * The end of a client's pipeline: copies what was read into the loop's array, has it parsed, and flushes all receivers
 * when a burst of reads ends. On the connection's loop.
 */
final class ClientInput extends ChannelInboundHandlerAdapter {
    private static final byte[] NONE = {};

    private final ClientConnection connection;
    private final LoopLane lane;
    private final ProtocolParser parser;

    /** Input that came while the parser was stopped. */
    private byte[] deferred = NONE;

    ClientInput(ClientConnection connection) {
        this.connection = connection;
        this.lane = connection.lane;
        this.parser = connection.session.parser();
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        connection.outbound.attach(context);
        connection.setInput(this);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        try {
            if (message instanceof ByteBuf bytes && !connection.isClosed()) {
                lane.beginBurst(connection);
                connection.heard(lane.now);
                read(bytes);
            }
        } finally {
            ReferenceCountUtil.release(message);
        }
    }

    private void read(ByteBuf bytes) {
        byte[] input = lane.input;
        while (bytes.isReadable() && !connection.isClosed()) {
            int length = Math.min(bytes.readableBytes(), input.length);
            bytes.readBytes(input, 0, length);
            int parsed = deferred.length > 0 ? 0 : parser.parse(input, 0, length);
            if (parsed < length) {
                defer(input, parsed, length);
            }
        }
    }

    private void defer(byte[] bytes, int from, int to) {
        int before = deferred.length;
        deferred = Arrays.copyOf(deferred, before + to - from);
        System.arraycopy(bytes, from, deferred, before, to - from);
    }

    /** Reads on after the parser was resumed. */
    void readDeferred() {
        if (deferred.length == 0 || connection.isClosed()) {
            return;
        }
        byte[] bytes = deferred;
        deferred = NONE;
        lane.beginBurst(connection);
        int parsed = parser.parse(bytes, 0, bytes.length);
        if (parsed < bytes.length && !connection.isClosed()) {
            defer(bytes, parsed, bytes.length);
        }
        lane.endBurst();
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        parser.trim();
        lane.endBurst();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (context.channel().isWritable()) {
            connection.outbound.flush();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        connection.lost(ClosedReason.CLIENT_CLOSED);
        context.fireChannelInactive();
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
