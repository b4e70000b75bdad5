package io.penstock.broker.engine;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.penstock.broker.ClosedReason;

/**
 * Between the WebSocket codec and the protocol: inbound frames of any kind and size become a stream of bytes, outbound
 * bytes become binary frames. On the connection's loop.
 */
final class WebSocketFraming extends ChannelDuplexHandler {
    /** Browsers get small frames, so that none of them has to gather a large one. */
    static final int BROWSER_FRAME = 4096;

    private final ClientConnection connection;
    private final int maxFrame;
    private ChannelHandlerContext own;

    /** @param maxFrame payload bytes of one outbound frame */
    WebSocketFraming(ClientConnection connection, int maxFrame) {
        this.connection = connection;
        this.maxFrame = maxFrame;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        own = context;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        switch (message) {
            case CloseWebSocketFrame close -> {
                close.release();
                connection.close(ClosedReason.CLIENT_CLOSED);
            }
            case PingWebSocketFrame ping -> {
                var _ = context.writeAndFlush(new PongWebSocketFrame(ping.content()));
            }
            case PongWebSocketFrame pong -> pong.release();
            case WebSocketFrame data -> context.fireChannelRead(data.content());
            default -> context.fireChannelRead(message);
        }
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        if (!(message instanceof ByteBuf bytes) || !bytes.isReadable()) {
            var _ = context.write(message, promise);
            return;
        }
        while (bytes.readableBytes() > maxFrame) {
            var _ = context.write(new BinaryWebSocketFrame(bytes.readRetainedSlice(maxFrame)), context.voidPromise());
        }
        var _ = context.write(new BinaryWebSocketFrame(bytes), promise);
    }

    /** The last frame. */
    void writeClose(ClosedReason reason) {
        var _ = own.write(new CloseWebSocketFrame(closeCode(reason), ""), own.voidPromise());
    }

    private static int closeCode(ClosedReason reason) {
        return switch (reason) {
            case CLIENT_CLOSED -> 1000;
            case AUTHENTICATION_TIMEOUT,
                    AUTHENTICATION_FAILURE,
                    AUTHENTICATION_EXPIRED,
                    REVOKED,
                    SLOW_CONSUMER_PENDING_BYTES,
                    SLOW_CONSUMER_WRITE_DEADLINE,
                    MAX_ACCOUNT_CONNECTIONS_EXCEEDED,
                    MAX_CONNECTIONS_EXCEEDED,
                    MAX_SUBSCRIPTIONS_EXCEEDED,
                    MAX_CONTROL_LINE_EXCEEDED,
                    MISSING_ACCOUNT -> 1008;
            case TLS_HANDSHAKE_FAILURE -> 1015;
            case PARSE_ERROR, PROTOCOL_VIOLATION, BAD_CLIENT_PROTOCOL_VERSION -> 1002;
            case MAX_PAYLOAD_EXCEEDED -> 1009;
            case WRITE_ERROR, READ_ERROR, STALE_CONNECTION, SERVER_SHUTDOWN -> 1001;
            default -> 1011;
        };
    }
}
