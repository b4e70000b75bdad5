package io.penstock.broker.engine;

import io.netty.buffer.ByteBufAllocator;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * A thread that routes messages, with all it needs to do so without locks: frames, outboxes and memory. Each event loop
 * is one; threads of the server share a few others, each under a lock.
 */
abstract class Lane {
    static final int SMALL_BLOCK = 2 * 1024;
    static final int LARGE_BLOCK = 64 * 1024;
    /** How often a message may be forwarded from account to account. */
    static final int MAX_DEPTH = 16;

    private static final int KEPT_BLOCKS = 64;

    final int index;

    private final Frame[] frames = new Frame[MAX_DEPTH];
    private int depth;
    private final List<Outbox> touched = new ArrayList<>();
    private final ArrayDeque<byte[]> small = new ArrayDeque<>();
    private final ArrayDeque<byte[]> large = new ArrayDeque<>();
    /** Loops that were left transfers in this batch. */
    private final List<LoopLane> toWake = new ArrayList<>();

    private long random;

    Lane(int index, long seed) {
        this.index = index;
        this.random = seed | 1;
        for (int i = 0; i < MAX_DEPTH; i++) {
            frames[i] = new Frame(this);
        }
    }

    static ByteBufAllocator allocator() {
        return ByteBufAllocator.DEFAULT;
    }

    /** A frame for one more message, or null when messages beget messages too deeply. */
    final Frame begin() {
        return depth == MAX_DEPTH ? null : frames[depth++];
    }

    final void end(Frame frame) {
        frame.done();
        depth--;
    }

    /** A number from 0 to {@code bound}, exclusive: quick, not secret. */
    final int random(int bound) {
        long x = random;
        x ^= x << 13;
        x ^= x >>> 7;
        x ^= x << 17;
        random = x;
        return (int) ((x >>> 33) % bound);
    }

    final Outbox outbox(Wire receiver) {
        Outbox outbox = receiver.outbox(this);
        if (!outbox.touched) {
            outbox.touched = true;
            touched.add(outbox);
            onTouched();
        }
        return outbox;
    }

    /** Hands on everything gathered. */
    final void flush() {
        // Handing over may touch further outboxes, at the end of the list.
        for (int i = 0; i < touched.size(); i++) {
            Outbox outbox = touched.get(i);
            outbox.touched = false;
            outbox.handOver();
        }
        touched.clear();
        for (int i = 0; i < toWake.size(); i++) {
            toWake.get(i).wake();
        }
        toWake.clear();
        onFlushed();
    }

    /** Leaves a transfer for another loop; it is woken when the batch is complete. */
    final void leave(LoopLane target, Transfer transfer) {
        target.offer(transfer);
        if (!toWake.contains(target)) {
            toWake.add(target);
        }
    }

    final byte[] takeBlock(int atLeast) {
        if (atLeast > LARGE_BLOCK) {
            return new byte[atLeast];
        }
        boolean isSmall = atLeast <= SMALL_BLOCK;
        byte[] block = (isSmall ? small : large).pollLast();
        return block != null ? block : new byte[isSmall ? SMALL_BLOCK : LARGE_BLOCK];
    }

    final void giveBlock(byte[] block) {
        ArrayDeque<byte[]> pool = block.length == SMALL_BLOCK ? small : large;
        if (block.length <= LARGE_BLOCK && pool.size() < KEPT_BLOCKS) {
            pool.addLast(block);
        }
    }

    /** Something waits for {@link #flush}. */
    abstract void onTouched();

    /** Everything was handed on. */
    abstract void onFlushed();
}
