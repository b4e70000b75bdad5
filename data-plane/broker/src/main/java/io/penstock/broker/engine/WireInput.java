package io.penstock.broker.engine;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;
import io.penstock.broker.ClosedReason;
import java.util.Arrays;

/**
 * The end of a pipeline: copies what was read into the loop's array, has it parsed, and flushes all receivers when a
 * burst of reads ends. On the connection's loop.
 */
abstract class WireInput extends ChannelInboundHandlerAdapter {
    private static final byte[] NONE = {};

    private final Wire wire;
    private final LoopLane lane;

    /** Input that came while the parser was stopped. */
    private byte[] deferred = NONE;

    WireInput(Wire wire) {
        this.wire = wire;
        this.lane = wire.lane;
    }

    /**
     * Has bytes parsed.
     *
     * @return where it ended: {@code to} unless the parser was stopped
     */
    abstract int parse(byte[] bytes, int from, int to);

    /** Gives back memory that a finished message left. */
    abstract void trim();

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        wire.outbound.attach(context);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        try {
            if (message instanceof ByteBuf bytes && !wire.isClosing()) {
                lane.beginBurst(wire);
                wire.heard(lane.now);
                read(bytes);
            }
        } finally {
            ReferenceCountUtil.release(message);
        }
    }

    private void read(ByteBuf bytes) {
        byte[] input = lane.input;
        while (bytes.isReadable() && !wire.isClosing()) {
            int length = Math.min(bytes.readableBytes(), input.length);
            bytes.readBytes(input, 0, length);
            int parsed = deferred.length > 0 ? 0 : parse(input, 0, length);
            if (parsed < length) {
                defer(input, parsed, length);
            }
        }
    }

    /** Keeps bytes behind those that wait already. */
    final void defer(byte[] bytes, int from, int to) {
        int before = deferred.length;
        deferred = Arrays.copyOf(deferred, before + to - from);
        System.arraycopy(bytes, from, deferred, before, to - from);
    }

    /** What waited until now; empty when there is nothing to read on with. */
    final byte[] takeDeferred() {
        byte[] bytes = deferred;
        deferred = NONE;
        return wire.isClosing() ? NONE : bytes;
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        trim();
        lane.endBurst();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (context.channel().isWritable()) {
            wire.outbound.flush();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        wire.lost(ClosedReason.CLIENT_CLOSED);
        context.fireChannelInactive();
    }

    @Override
    public abstract void exceptionCaught(ChannelHandlerContext context, Throwable cause);
}
