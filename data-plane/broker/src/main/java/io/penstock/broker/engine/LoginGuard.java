package io.penstock.broker.engine;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;
import io.penstock.broker.ClosedReason;

/**
 * Bounds what a WebSocket client may send before it is logged in: a codec gathers whole frames, and strangers must not
 * choose how much memory that takes. Goes away at login. On the connection's loop.
 */
final class LoginGuard extends ChannelInboundHandlerAdapter {
    private final ClientConnection connection;
    private long left;

    /** @param bytes wire bytes before login */
    LoginGuard(ClientConnection connection, long bytes) {
        this.connection = connection;
        this.left = bytes;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (connection.session.isConnected()) {
            context.pipeline().remove(this);
        } else if (message instanceof ByteBuf bytes) {
            left -= bytes.readableBytes();
            if (left < 0) {
                ReferenceCountUtil.release(message);
                connection.close(ClosedReason.MAX_CONTROL_LINE_EXCEEDED, ErrorText.CONTROL_LINE);
                return;
            }
        }
        context.fireChannelRead(message);
    }
}
