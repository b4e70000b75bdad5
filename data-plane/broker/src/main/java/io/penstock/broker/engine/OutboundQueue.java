package io.penstock.broker.engine;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.penstock.broker.ClosedReason;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bytes that wait for one socket: first here, where they are counted and can be dropped, and up to a watermark in the
 * channel. Owned by the connection's loop, but for the count of bytes under way from other lanes.
 */
final class OutboundQueue {
    private final Wire connection;
    private ChannelHandlerContext context;
    private final ArrayDeque<ByteBuf> waiting = new ArrayDeque<>();
    private long waitingBytes;
    private long passedToChannel;
    private boolean unsent;
    private boolean closed;

    /** Bytes in inboxes on their way here; all threads. */
    private final AtomicLong underWay = new AtomicLong();
    /** Bytes here and in the channel; written by the loop. */
    private final AtomicLong queued = new AtomicLong();

    /** When blocked: how many bytes must have gone by when. */
    private boolean blocked;

    private long blockedSince;
    private long mustPass;

    OutboundQueue(Wire connection) {
        this.connection = connection;
    }

    /** Writes through this handler from now on. */
    void attach(ChannelHandlerContext handler) {
        context = handler;
    }

    boolean isAttached() {
        return context != null;
    }

    /** Bytes that wait for the socket, from any thread. */
    long pending() {
        return underWay.get() + queued.get();
    }

    /** Another lane sends bytes. */
    void sent(int bytes) {
        underWay.addAndGet(bytes);
    }

    /** They arrived at the loop. */
    void arrived(int bytes) {
        underWay.addAndGet(-bytes);
    }

    /** Takes over a buffer; it goes out at the next flush. */
    void add(ByteBuf bytes) {
        if (closed) {
            bytes.release();
            return;
        }
        waiting.add(bytes);
        waitingBytes += bytes.readableBytes();
        queued.lazySet(queued.get() + bytes.readableBytes());
        if (!unsent) {
            unsent = true;
            connection.lane.addUnsent(connection);
        }
    }

    /** Passes on what the channel takes, and has it sent. */
    void flush() {
        unsent = false;
        if (closed) {
            return;
        }
        Channel channel = context.channel();
        boolean any = false;
        while (!waiting.isEmpty() && channel.isWritable()) {
            write(waiting.poll());
            any = true;
        }
        if (any) {
            context.flush();
            // A flush may have made room at once.
            while (!waiting.isEmpty() && channel.isWritable()) {
                write(waiting.poll());
                context.flush();
            }
        }
        measure();
    }

    private void write(ByteBuf bytes) {
        int size = bytes.readableBytes();
        waitingBytes -= size;
        passedToChannel += size;
        var _ = context.write(bytes, context.voidPromise());
    }

    private void measure() {
        long inChannel = inChannel();
        long total = waitingBytes + inChannel;
        queued.lazySet(total);
        if (total > 0 && !blocked) {
            blocked = true;
            blockedSince = System.nanoTime();
            mustPass = passedToChannel;
            connection.lane.addBlocked(connection);
        }
        connection.backpressure.written();
    }

    private long inChannel() {
        ChannelOutboundBuffer buffer = context.channel().unsafe().outboundBuffer();
        return buffer == null ? 0 : buffer.totalPendingWriteBytes();
    }

    /** Whether bytes still wait. Closes the connection when those of the last mark have waited for too long. */
    boolean isBlocked(long now) {
        if (closed) {
            return false;
        }
        long inChannel = inChannel();
        long total = waitingBytes + inChannel;
        queued.lazySet(total);
        if (total == 0) {
            blocked = false;
            return false;
        }
        if (passedToChannel - inChannel >= mustPass) {
            blockedSince = now;
            mustPass = passedToChannel;
        } else if (now - blockedSince > connection.writeDeadlineNanos()) {
            connection.slowConsumer(ClosedReason.SLOW_CONSUMER_WRITE_DEADLINE);
            return false;
        }
        return true;
    }

    /** Passes everything to the channel whatever its watermark says: the last thing before a close. */
    void flushAll() {
        while (!waiting.isEmpty()) {
            write(waiting.poll());
        }
        context.flush();
    }

    /** Drops what waits and takes no more. */
    void close() {
        closed = true;
        ByteBuf bytes;
        while ((bytes = waiting.poll()) != null) {
            bytes.release();
        }
        waitingBytes = 0;
        queued.lazySet(0);
    }
}
