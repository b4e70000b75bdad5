package io.penstock.broker.engine;

import io.netty.channel.EventLoop;
import io.vertx.core.internal.ContextInternal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jctools.queues.MpscUnboundedArrayQueue;

/**
 * An event loop with its connections. Other lanes leave transfers in its inbox and wake it once for a batch; bytes in the
 * inbox are counted, and publishers that fill it faster than it is emptied are paused.
 */
final class LoopLane extends Lane {
    /** Bytes in the inbox from which publishers of other loops are paused. */
    static final long INBOX_HIGH = 16L * 1024 * 1024;

    static final long INBOX_LOW = 4L * 1024 * 1024;

    final ContextInternal context;
    final EventLoop loop;

    private final MpscUnboundedArrayQueue<Transfer> inbox = new MpscUnboundedArrayQueue<>(1024);
    private final AtomicBoolean woken = new AtomicBoolean();
    private final AtomicLong inboxBytes = new AtomicLong();
    private final Queue<Wire> paused = new MpscUnboundedArrayQueue<>(64);

    /** Connections with bytes to be flushed to their sockets; the loop's thread. */
    private final List<Wire> unsent = new ArrayList<>();

    /** Connections whose socket takes no more at the moment; the loop's thread. */
    private final ArrayDeque<Wire> blocked = new ArrayDeque<>();

    private boolean inBurst;
    private Wire reader;
    private boolean flushScheduled;
    /** Nanoseconds, read once per burst; the loop's thread. */
    long now = System.nanoTime();

    /** Input is copied here before it is parsed; the loop's thread. */
    byte[] input = new byte[LARGE_BLOCK];

    LoopLane(int index, long seed, ContextInternal context) {
        super(index, seed);
        this.context = context;
        this.loop = context.nettyEventLoop();
    }

    boolean isCurrent() {
        return loop.inEventLoop();
    }

    /** Input of a connection is about to be handled. */
    void beginBurst(Wire connection) {
        inBurst = true;
        reader = connection;
        now = System.nanoTime();
    }

    /** The connection whose input is being handled, or null. */
    Wire reader() {
        return reader;
    }

    /** All input at hand was handled. */
    void endBurst() {
        flush();
        inBurst = false;
        reader = null;
    }

    @Override
    void onTouched() {
        scheduleFlush();
    }

    private void scheduleFlush() {
        if (!inBurst && !flushScheduled) {
            flushScheduled = true;
            loop.execute(this::scheduledFlush);
        }
    }

    private void scheduledFlush() {
        flushScheduled = false;
        inBurst = true;
        endBurst();
    }

    @Override
    void onFlushed() {
        for (int i = 0; i < unsent.size(); i++) {
            unsent.get(i).outbound.flush();
        }
        unsent.clear();
    }

    /** The connection has bytes that only a flush will send. */
    void addUnsent(Wire connection) {
        unsent.add(connection);
        scheduleFlush();
    }

    void addBlocked(Wire connection) {
        blocked.add(connection);
    }

    /** Closes receivers that took nothing for too long; called now and then. */
    void checkDeadlines(long nowNanos) {
        for (int i = blocked.size(); i > 0; i--) {
            Wire connection = blocked.poll();
            if (connection.outbound.isBlocked(nowNanos)) {
                blocked.add(connection);
            }
        }
    }

    /** Leaves a transfer; from any other lane, which wakes this one when its batch is complete. */
    void offer(Transfer transfer) {
        inboxBytes.addAndGet(transfer.bytes().readableBytes());
        inbox.offer(transfer);
    }

    /** Has the inbox emptied soon; from any thread. */
    void wake() {
        if (!woken.get() && woken.compareAndSet(false, true)) {
            loop.execute(this::drain);
        }
    }

    private void drain() {
        woken.set(false);
        inBurst = true;
        now = System.nanoTime();
        long taken = 0;
        Transfer transfer;
        while ((transfer = inbox.poll()) != null) {
            int bytes = transfer.bytes().readableBytes();
            taken += bytes;
            transfer.connection().outbound.arrived(bytes);
            transfer.connection().take(transfer);
        }
        endBurst();
        if (inboxBytes.addAndGet(-taken) < INBOX_LOW) {
            resumePaused();
        }
    }

    boolean isInboxFull() {
        return inboxBytes.get() > INBOX_HIGH;
    }

    /** Resumes a publisher of another loop when the inbox is short again. */
    void pauseUntilDrained(Wire publisher) {
        paused.offer(publisher);
        wake();
    }

    private void resumePaused() {
        Wire publisher;
        while ((publisher = paused.poll()) != null) {
            publisher.backpressure.resume();
        }
    }
}
