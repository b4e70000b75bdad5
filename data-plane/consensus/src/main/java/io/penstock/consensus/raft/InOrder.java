package io.penstock.consensus.raft;

import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs tasks one after the other, in the order they came, on the threads of another executor. Any thread. */
final class InOrder implements Executor {
    private static final Logger LOG = LoggerFactory.getLogger(InOrder.class);

    private final Executor threads;

    /** Guarded by this, as all below. */
    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();

    private boolean running;

    InOrder(Executor threads) {
        this.threads = threads;
    }

    @Override
    public void execute(Runnable task) {
        synchronized (this) {
            waiting.add(task);
            if (running) {
                return;
            }
            running = true;
        }
        threads.execute(this::run);
    }

    private void run() {
        for (Runnable task = next(); task != null; task = next()) {
            try {
                task.run();
            } catch (RuntimeException e) {
                LOG.error("a request of another node failed", e);
            }
        }
    }

    private synchronized Runnable next() {
        Runnable task = waiting.poll();
        running = task != null;
        return task;
    }
}
