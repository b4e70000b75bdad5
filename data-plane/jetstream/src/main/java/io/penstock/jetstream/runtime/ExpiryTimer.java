package io.penstock.jetstream.runtime;

import io.penstock.consensus.GroupLoop;
import io.penstock.jetstream.state.RecordType;
import io.penstock.jetstream.state.StreamMachine;
import io.penstock.jetstream.state.StreamSet;

/** Lets the messages of a stream that is at work here expire when their time has come. Owned by the loop. */
final class ExpiryTimer {
    /** Expiry is looked at no more often than this. */
    private static final long PAUSE = 20_000_000L;

    private static final long LONGEST_WAIT = 60_000_000_000L;

    private final Engine engine;
    private final StreamMachine machine;
    private boolean running;
    private GroupLoop.Timer timer;
    private long timerAt = Long.MAX_VALUE;

    ExpiryTimer(Engine engine, StreamMachine machine) {
        this.engine = engine;
        this.machine = machine;
    }

    void start() {
        running = true;
        schedule();
    }

    void stop() {
        running = false;
        cancel();
    }

    /** A message came. */
    void stored() {
        if (timer == null || machine.config().allowMsgTtl()) {
            schedule();
        }
    }

    /** What was to expire is gone, or no outcome of that is to be waited for any more. */
    void expired() {
        timer = null;
        timerAt = Long.MAX_VALUE;
        schedule();
    }

    private void schedule() {
        if (!running || (machine.config().maxAge() <= 0 && !machine.config().allowMsgTtl())) {
            return;
        }
        long at = machine.nextExpiry();
        if (at == Long.MAX_VALUE || (timer != null && at >= timerAt)) {
            return;
        }
        cancel();
        timerAt = at;
        // Not for longer: the wall clock may be set right meanwhile.
        long left = at - engine.loop().now();
        timer = left > LONGEST_WAIT
                ? engine.loop().schedule(LONGEST_WAIT, this::expired)
                : engine.loop().schedule(Math.max(PAUSE, left), this::expire);
    }

    private void cancel() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
        timerAt = Long.MAX_VALUE;
    }

    private void expire() {
        if (machine.isVolatile()) {
            machine.expire(engine.loop().now());
            expired();
        } else {
            // The timer stays set until the tick is applied: one tick at a time.
            engine.propose(RecordType.TICK, machine.id(), new byte[0], result -> {
                // While the log takes nothing, nothing expires; a tick without outcome is seen to by resync.
                if (!(result instanceof StreamSet.Refused)) {
                    expired();
                }
            });
        }
    }
}
