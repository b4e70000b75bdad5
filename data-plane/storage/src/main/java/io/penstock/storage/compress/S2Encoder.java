package io.penstock.storage.compress;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.compression.Snappy;

/** Makes blocks of Snappy's format, which every reader of S2 understands. For one thread. */
public final class S2Encoder {
    private static final int FIRST_BYTES = 80 << 10;

    private final Snappy snappy = new Snappy();
    private final ByteBuf packed = Unpooled.buffer(FIRST_BYTES);

    /** Encodes; answers how many bytes of {@link #bytes()} are the block, until the next call. */
    public int encode(byte[] source, int from, int length) {
        packed.clear();
        snappy.reset();
        snappy.encode(Unpooled.wrappedBuffer(source, from, length), packed, length);
        return packed.readableBytes();
    }

    /** Begins with the block encoded last. */
    public byte[] bytes() {
        return packed.array();
    }
}
