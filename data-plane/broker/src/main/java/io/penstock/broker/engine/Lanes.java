package io.penstock.broker.engine;

import io.netty.util.concurrent.FastThreadLocal;
import java.util.List;
import java.util.function.ToIntFunction;

/** All lanes of a broker, and the way from a thread to its lane. */
final class Lanes {
    static final int FOREIGN = 4;

    private final List<LoopLane> loops;
    private final List<ForeignLane> foreign;
    private final FastThreadLocal<LoopLane> current = new FastThreadLocal<>();

    Lanes(List<LoopLane> loops, List<ForeignLane> foreign) {
        this.loops = List.copyOf(loops);
        this.foreign = List.copyOf(foreign);
    }

    List<LoopLane> loops() {
        return loops;
    }

    int count() {
        return loops.size() + foreign.size();
    }

    /** Marks the calling thread as this loop's. */
    void bind(LoopLane lane) {
        current.set(lane);
    }

    /** Does work on the calling thread's lane. One thread always gets the same lane, so its order is kept. */
    int on(ToIntFunction<Lane> work) {
        LoopLane own = current.get();
        if (own != null) {
            return work.applyAsInt(own);
        }
        ForeignLane lane = foreign();
        lane.lock.lock();
        try {
            return work.applyAsInt(lane);
        } finally {
            lane.lock.unlock();
        }
    }

    /** Flushes the calling thread's lane. */
    void flush() {
        if (current.get() == null) {
            on(lane -> {
                lane.flush();
                return 0;
            });
        }
    }

    private ForeignLane foreign() {
        return foreign.get((int) (Thread.currentThread().threadId() % FOREIGN));
    }
}
