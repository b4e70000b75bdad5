package io.penstock.broker.engine;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderException;
import io.penstock.broker.ClosedReason;
import io.penstock.broker.route.RouteParser;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The end of a route's pipeline. */
final class RouteInput extends WireInput {
    private static final Logger LOG = LoggerFactory.getLogger(RouteInput.class);

    private final RouteConnection route;
    private final RouteParser parser;

    RouteInput(RouteConnection route) {
        super(route);
        this.route = route;
        this.parser = route.session.parser();
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        super.handlerAdded(context);
        route.setInput(this);
    }

    @Override
    int parse(byte[] bytes, int from, int to) {
        return parser.parse(bytes, from, to);
    }

    @Override
    void trim() {
        parser.trim();
    }

    /**
     * Reads on after the parser was resumed.
     *
     * @param decoder context of a decoder put before this handler meanwhile, or null
     */
    void readDeferred(ChannelHandlerContext decoder) {
        byte[] bytes = takeDeferred();
        if (bytes.length == 0) {
            return;
        }
        ByteBuf again = Unpooled.wrappedBuffer(bytes);
        try {
            if (decoder == null) {
                channelRead(null, again);
            } else {
                ((ChannelInboundHandlerAdapter) decoder.handler()).channelRead(decoder, again);
            }
        } catch (Exception e) {
            exceptionCaught(null, e);
        }
        route.lane.endBurst();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        LOG.debug("rid:{} - route failed: {}", route.id, cause.toString());
        boolean decoding = cause instanceof DecoderException;
        if (decoding) {
            LOG.warn("{} - rid:{} - {}", route.host(), route.id, cause.getMessage());
        }
        route.lost(decoding ? ClosedReason.TLS_HANDSHAKE_FAILURE : ClosedReason.READ_ERROR);
        var _ = route.channel().close();
    }
}
