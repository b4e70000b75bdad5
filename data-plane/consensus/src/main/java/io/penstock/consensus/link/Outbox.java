package io.penstock.consensus.link;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What waits to be sent over a connection. Any thread.
 *
 * <p>Whoever finds nobody writing writes to the socket itself, and takes with it what others add meanwhile: that saves
 * waking the link's thread for each frame. What the socket does not take the link's thread writes once it can, and all
 * else waits for that. With TLS every frame goes through the link's thread.
 */
final class Outbox {
    private static final Logger LOG = LoggerFactory.getLogger(Outbox.class);

    /** Frames written at once, as long as there is more than one. */
    private static final int BATCH_BYTES = 256 << 10;

    private final Channel channel;
    private final int backlogBytes;

    /** Null when only the link's thread may write. */
    private final SocketChannel socket;

    private final ConcurrentLinkedQueue<LinkFrame> frames = new ConcurrentLinkedQueue<>();

    /** Somebody writes, or is about to; stays so after a failure. */
    private final AtomicBoolean taken = new AtomicBoolean();

    private final AtomicLong waitingBytes = new AtomicLong();

    /**
     * @param socket where to write, or null to leave it to the channel
     * @param backlogBytes what may wait, but for a single frame that is larger
     */
    Outbox(Channel channel, SocketChannel socket, int backlogBytes) {
        this.channel = channel;
        this.socket = socket;
        this.backlogBytes = backlogBytes;
    }

    /** Sends a frame now or as soon as it can be; false when too much waits already. */
    boolean send(LinkFrame frame) {
        int size = frame.size();
        long waiting = waitingBytes.addAndGet(size);
        if (waiting > backlogBytes && waiting > size) {
            waitingBytes.addAndGet(-size);
            return false;
        }
        frames.add(frame);
        if (taken.compareAndSet(false, true)) {
            if (socket == null) {
                channel.eventLoop().execute(this::drain);
            } else {
                write();
            }
        }
        return true;
    }

    /** The connection is gone. */
    void clear() {
        frames.clear();
    }

    /** On the link's thread. */
    private void drain() {
        taken.set(false);
        boolean any = false;
        for (LinkFrame frame; (frame = frames.poll()) != null; ) {
            int size = frame.size();
            channel.write(frame.encode(channel.alloc())).addListener(written -> waitingBytes.addAndGet(-size));
            any = true;
        }
        if (any) {
            channel.flush();
        }
    }

    /** By whoever has taken it. */
    private void write() {
        List<LinkFrame> batch = new ArrayList<>();
        do {
            int size;
            while ((size = poll(batch)) > 0) {
                ByteBuf bytes = encode(batch, size);
                batch.clear();
                if (!write(bytes, size)) {
                    return;
                }
            }
            taken.set(false);
        } while (!frames.isEmpty() && taken.compareAndSet(false, true));
    }

    private int poll(List<LinkFrame> batch) {
        int size = 0;
        for (LinkFrame frame; size < BATCH_BYTES && (frame = frames.poll()) != null; ) {
            batch.add(frame);
            size += frame.size();
        }
        return size;
    }

    private ByteBuf encode(List<LinkFrame> batch, int size) {
        ByteBuf bytes = channel.alloc().directBuffer(size);
        for (LinkFrame frame : batch) {
            frame.encode(bytes);
        }
        return bytes;
    }

    /** Whether the socket took all; otherwise somebody else goes on, or nobody can. */
    private boolean write(ByteBuf bytes, int size) {
        try {
            ByteBuffer left = bytes.internalNioBuffer(bytes.readerIndex(), size);
            socket.write(left);
            if (!left.hasRemaining()) {
                bytes.release();
                waitingBytes.addAndGet(-size);
                return true;
            }
            bytes.skipBytes(size - left.remaining());
        } catch (IOException e) {
            bytes.release();
            LOG.debug("a link cannot be written to", e);
            var _ = channel.close();
            return false;
        }
        channel.eventLoop()
                .execute(() -> channel.writeAndFlush(bytes).addListener(written -> {
                    waitingBytes.addAndGet(-size);
                    if (written.isSuccess()) {
                        write();
                    }
                }));
        return false;
    }
}
