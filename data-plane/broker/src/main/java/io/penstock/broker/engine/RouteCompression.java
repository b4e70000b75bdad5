package io.penstock.broker.engine;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.compression.SnappyFrameDecoder;
import io.netty.handler.codec.compression.SnappyFrameEncoder;
import io.penstock.broker.route.CompressionMode;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;

/** Compression of what goes over one route: Snappy frames, which are part of what S2 readers understand. */
final class RouteCompression {
    private RouteCompression() {}

    /** Puts it into the pipeline; everything behind the greeting is compressed. Gives the decoder's place. */
    static ChannelHandlerContext install(RouteConnection route, CompressionMode mode) {
        ChannelPipeline pipeline = route.channel().pipeline();
        pipeline.addBefore("route", "decompress", new SnappyFrameDecoder(true));
        pipeline.addBefore("route", "compress", new Encoder(route, mode == CompressionMode.AUTO));
        return pipeline.context("decompress");
    }

    private static final class Encoder extends SnappyFrameEncoder {
        private static final long WORTH_IT_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
        private static final int CHUNK_BYTES = 65_536;
        private static final int PLAIN_CHUNK = 1;
        private static final byte[] STREAM_START = {(byte) 0xff, 6, 0, 0, 's', 'N', 'a', 'P', 'p', 'Y'};

        private final RouteConnection route;
        private final boolean byRoundTrip;
        private final CRC32C checksum = new CRC32C();
        private boolean started;

        Encoder(RouteConnection route, boolean byRoundTrip) {
            this.route = route;
            this.byRoundTrip = byRoundTrip;
        }

        @Override
        protected void encode(ChannelHandlerContext context, ByteBuf in, ByteBuf out) throws Exception {
            if (byRoundTrip && route.roundTripNanos() < WORTH_IT_NANOS) {
                plain(in, out);
            } else {
                super.encode(context, in, out);
            }
        }

        private void plain(ByteBuf in, ByteBuf out) {
            if (!started) {
                started = true;
                out.writeBytes(STREAM_START);
            }
            while (in.isReadable()) {
                int length = Math.min(in.readableBytes(), CHUNK_BYTES);
                out.writeByte(PLAIN_CHUNK).writeMediumLE(length + 4).writeIntLE(masked(in, length));
                out.writeBytes(in, length);
            }
        }

        private int masked(ByteBuf in, int length) {
            checksum.reset();
            for (ByteBuffer part : in.nioBuffers(in.readerIndex(), length)) {
                checksum.update(part);
            }
            int crc = (int) checksum.getValue();
            return ((crc >>> 15) | (crc << 17)) + 0xa282ead8;
        }
    }
}
