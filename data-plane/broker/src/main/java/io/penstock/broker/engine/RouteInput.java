package io.penstock.broker.engine;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderException;
import io.netty.util.ReferenceCountUtil;
import io.penstock.broker.ClosedReason;
import io.penstock.broker.route.RouteParser;
import java.util.Arrays;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The end of a route's pipeline: has parsed what was read, and flushes all receivers when a burst ends. On the loop. */
final class RouteInput extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(RouteInput.class);
    private static final byte[] NONE = {};

    private final RouteConnection route;
    private final LoopLane lane;
    private final RouteParser parser;

    /** Input that came while the parser was stopped. */
    private byte[] deferred = NONE;

    RouteInput(RouteConnection route) {
        this.route = route;
        this.lane = route.lane;
        this.parser = route.session.parser();
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        route.outbound.attach(context);
        route.setInput(this);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        try {
            if (message instanceof ByteBuf bytes && !route.isClosing()) {
                lane.beginBurst(route);
                route.heard(lane.now);
                read(bytes);
            }
        } finally {
            ReferenceCountUtil.release(message);
        }
    }

    private void read(ByteBuf bytes) {
        byte[] input = lane.input;
        while (bytes.isReadable() && !route.isClosing()) {
            int length = Math.min(bytes.readableBytes(), input.length);
            bytes.readBytes(input, 0, length);
            int parsed = deferred.length > 0 ? 0 : parser.parse(input, 0, length);
            if (parsed < length) {
                int before = deferred.length;
                deferred = Arrays.copyOf(deferred, before + length - parsed);
                System.arraycopy(input, parsed, deferred, before, length - parsed);
            }
        }
    }

    /**
     * Reads on after the parser was resumed.
     *
     * @param decoder context of a decoder put before this handler meanwhile, or null
     */
    void readDeferred(ChannelHandlerContext decoder) {
        byte[] bytes = deferred;
        deferred = NONE;
        if (bytes.length == 0 || route.isClosing()) {
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
            route.outbound.flush();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        route.lost(ClosedReason.CLIENT_CLOSED);
        context.fireChannelInactive();
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
