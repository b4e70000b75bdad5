package io.penstock.broker.engine;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.socket.DuplexChannel;
import io.penstock.broker.ClosedReason;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** One socket with somebody at the other end: what lanes need in order to deliver to it, and how it ends. */
abstract class Wire {
    /** How long input is discarded after the last word, so that the other side can read it before a reset. */
    private static final long LINGER_MILLIS = 250;

    private static final long CLOSE_TIMEOUT_MILLIS = 2000;

    final BrokerEngine engine;
    final LoopLane lane;
    final OutboundQueue outbound;
    final Backpressure backpressure;
    private final Channel channel;
    private final ReadHolds holds;
    /** One for each lane; a slot is touched by its lane only. */
    private final Outbox[] outboxes;

    /** Whether it takes header blocks. Written by the loop before the connection is in any graph; read by all lanes. */
    boolean headers;

    /** Whether it must be told which reply subjects it was given. */
    volatile boolean tracksReplies;

    private volatile boolean closing;
    private final Instant started = Instant.now();
    private final KeepAlive keepAlive;
    private long lastHeard;
    private volatile long lastActivityMillis = started.toEpochMilli();

    /** Written by the loop. */
    private final AtomicLong outMessages = new AtomicLong();

    private final AtomicLong outBytes = new AtomicLong();

    Wire(BrokerEngine engine, LoopLane lane, Channel channel, long pingNanos, int pingMax) {
        this.engine = engine;
        this.lane = lane;
        this.channel = channel;
        this.outbound = new OutboundQueue(this);
        this.outboxes = new Outbox[engine.lanes().count()];
        this.holds = new ReadHolds(channel);
        this.backpressure = new Backpressure(this, holds);
        this.keepAlive = new KeepAlive(this, pingNanos, pingMax);
    }

    // What kinds of wires do differently, on the loop.

    /** Longest time that written bytes may wait. */
    abstract long writeDeadlineNanos();

    /** Whether there is anybody who would answer a PING. */
    abstract boolean isReadyForPing();

    /** It does not answer PINGs any more. */
    abstract void stale();

    /** It is about to be closed for not reading. */
    abstract void reportSlow(ClosedReason reason);

    /** Gives up everything that it holds; called once. */
    abstract void stopped(ClosedReason reason);

    /** Bytes that are no message are about to be added. */
    abstract void sending(byte[] bytes);

    /** The account whose counters its messages go into, or null. */
    LocalAccount boundAccount() {
        return null;
    }

    /** Before bytes from a lane are queued. */
    void beforeTake(Transfer transfer) {}

    /** The last thing written before our half of the socket is closed. */
    void writeFarewell(ClosedReason reason) {}

    // Delivery, from any lane.

    Outbox outbox(Lane from) {
        Outbox outbox = outboxes[from.index];
        if (outbox == null) {
            outbox = new Outbox(this, from);
            outboxes[from.index] = outbox;
        }
        return outbox;
    }

    /** Whether a message may be added; a receiver that lags slows the publisher, or loses the message. */
    boolean takesMore(Lane from, Frame message) {
        return !closing && backpressure.admits(from, message);
    }

    /** Takes bytes from a lane and brings them to this connection's loop. */
    void accept(Lane from, Transfer transfer) {
        if (from == lane) {
            take(transfer);
            return;
        }
        if (closing || backpressure.isOverflowing()) {
            transfer.bytes().release();
            if (!closing) {
                lane.loop.execute(() -> slowConsumer(ClosedReason.SLOW_CONSUMER_PENDING_BYTES));
            }
            return;
        }
        outbound.sent(transfer.bytes().readableBytes());
        from.leave(lane, transfer);
        if (lane.isInboxFull() && from instanceof LoopLane loop && loop.reader() != null) {
            loop.reader().backpressure.pauseFor(lane);
        }
    }

    /** On the loop. */
    void take(Transfer transfer) {
        beforeTake(transfer);
        outMessages.lazySet(outMessages.get() + transfer.messages());
        outBytes.lazySet(outBytes.get() + transfer.messageBytes());
        outbound.add(transfer.bytes());
        if (backpressure.isOverflowing()) {
            slowConsumer(ClosedReason.SLOW_CONSUMER_PENDING_BYTES);
        }
    }

    /** Adds bytes that are no message, in order with the messages of this loop; on the loop. */
    void send(byte[] bytes) {
        if (!closing) {
            sending(bytes);
            lane.outbox(this).raw(bytes);
        }
    }

    // Life, on the loop.

    void startKeepAlive() {
        lastHeard = System.nanoTime();
        keepAlive.start();
    }

    KeepAlive keepAlive() {
        return keepAlive;
    }

    ReadHolds holds() {
        return holds;
    }

    Channel channel() {
        return channel;
    }

    void heard(long now) {
        lastHeard = now;
        lastActivityMillis = System.currentTimeMillis();
    }

    long lastHeard() {
        return lastHeard;
    }

    // The end, on the loop.

    void slowConsumer(ClosedReason reason) {
        if (closing) {
            return;
        }
        reportSlow(reason);
        end(reason);
        outbound.close();
        var _ = channel.close();
    }

    /** The socket is gone. */
    void lost(ClosedReason reason) {
        end(reason);
        outbound.close();
    }

    private void end(ClosedReason reason) {
        if (closing) {
            return;
        }
        closing = true;
        backpressure.releaseAll();
        keepAlive.stop();
        stopped(reason);
    }

    /** @param lastWord null for none */
    void closeOnLoop(ClosedReason reason, byte[] lastWord) {
        if (closing) {
            return;
        }
        if (lastWord != null) {
            sending(lastWord);
        }
        Outbox own = outboxes[lane.index];
        if (own != null) {
            own.handOver();
        }
        end(reason);
        if (!channel.isActive() || !outbound.isAttached()) {
            outbound.close();
            var _ = channel.close();
            return;
        }
        if (lastWord != null) {
            outbound.add(Lane.allocator().directBuffer(lastWord.length).writeBytes(lastWord));
        }
        outbound.flushAll();
        writeFarewell(reason);
        channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener((ChannelFutureListener) done -> linger());
        var _ = lane.loop.schedule(this::closeChannel, CLOSE_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Closes our half first and reads on for a moment: unread input would make the system drop our last word. */
    private void linger() {
        holds.clear();
        if (!isEncrypted() && channel instanceof DuplexChannel duplex && channel.isActive()) {
            var _ = duplex.shutdownOutput();
            var _ = lane.loop.schedule(this::closeChannel, LINGER_MILLIS, TimeUnit.MILLISECONDS);
        } else {
            closeChannel();
        }
    }

    /** Whether TLS has its own way of ending. */
    abstract boolean isEncrypted();

    private void closeChannel() {
        outbound.close();
        var _ = channel.close();
    }

    void onLoop(Runnable task) {
        if (lane.isCurrent()) {
            task.run();
        } else {
            lane.loop.execute(task);
        }
    }

    // The view of others.

    boolean isClosing() {
        return closing;
    }

    public Instant started() {
        return started;
    }

    public Instant lastActivity() {
        return Instant.ofEpochMilli(lastActivityMillis);
    }

    public long roundTripNanos() {
        return keepAlive.roundTripNanos();
    }

    public long outMessages() {
        return outMessages.get();
    }

    public long outBytes() {
        return outBytes.get();
    }

    public long pendingBytes() {
        return outbound.pending();
    }
}
