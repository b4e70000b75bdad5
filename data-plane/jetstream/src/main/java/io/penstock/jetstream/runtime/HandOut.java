package io.penstock.jetstream.runtime;

import io.penstock.consensus.GroupLoop;
import io.penstock.consensus.ReplicatedLog;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;

/**
 * What only a leader may do that is sure that no other leads: hand messages out, and answer with what it has as the present
 * state. While the log cannot tell, both wait; that is over when the log can tell again, or when another leads. Owned by
 * the loop.
 */
final class HandOut {
    /** How soon the log is asked again. */
    private static final long PAUSE = 20_000_000L;

    /** Requests that wait, at most; more are not answered. */
    private static final int MOST_REQUESTS = 1_000;

    private final GroupLoop loop;
    private final ReplicatedLog log;

    /** Ends the loop's turn soon. */
    private final Runnable soon;

    /** Consumers that may have something to hand out. */
    private final LinkedHashSet<ConsumerRuntime> ready = new LinkedHashSet<>();

    private final ArrayDeque<Runnable> requests = new ArrayDeque<>();
    private GroupLoop.Timer timer;

    /** While leadership is about to be handed over: what is handed out then, the log would not get to know. */
    private boolean paused;

    HandOut(GroupLoop loop, ReplicatedLog log, Runnable soon) {
        this.loop = loop;
        this.log = log;
        this.soon = soon;
    }

    void ready(ConsumerRuntime consumer) {
        ready.add(consumer);
        soon.run();
    }

    void forget(ConsumerRuntime consumer) {
        ready.remove(consumer);
    }

    boolean isEmpty() {
        return ready.isEmpty();
    }

    /** Runs a request once what it is answered with is sure to be the present state, or once it is not this node's. */
    void whenSure(Runnable request) {
        if (requests.size() < MOST_REQUESTS) {
            requests.add(request);
            askAgain();
        }
    }

    /** Has the consumers hand out what they can; at the end of a turn. */
    void run() {
        if (paused || ready.isEmpty()) {
            return;
        }
        if (!log.holdsLease()) {
            askAgain();
            return;
        }
        ConsumerRuntime[] now = ready.toArray(ConsumerRuntime[]::new);
        ready.clear();
        for (ConsumerRuntime consumer : now) {
            if (log.holdsLease()) {
                consumer.pump();
            } else {
                ready(consumer);
            }
        }
    }

    /** Hands nothing out until {@link #resume}, or until this node leads anew. */
    void pause() {
        paused = true;
    }

    void resume() {
        paused = false;
        if (!ready.isEmpty()) {
            soon.run();
        }
    }

    private void askAgain() {
        if (timer == null) {
            timer = loop.schedule(PAUSE, this::again);
        }
    }

    private void again() {
        timer = null;
        if (!log.holdsLease()) {
            askAgain();
            return;
        }
        releaseRequests();
        soon.run();
    }

    private void releaseRequests() {
        requests.forEach(loop::execute);
        requests.clear();
    }

    /** This node leads no more: who asked is answered as others than the leader answer. */
    void abandon() {
        paused = false;
        ready.clear();
        releaseRequests();
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }
}
