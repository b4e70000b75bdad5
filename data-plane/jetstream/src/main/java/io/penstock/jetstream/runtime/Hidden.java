package io.penstock.jetstream.runtime;

import io.penstock.jetstream.state.Phase;
import io.penstock.jetstream.state.RecordType;
import io.penstock.jetstream.state.StreamMachine;

/** Streams on their way out of a backup: in the log, and not there for anybody. */
final class Hidden {
    private Hidden() {}

    static boolean is(StreamMachine stream) {
        return stream.generation() == 0 && stream.phase() == Phase.IMPORTING;
    }

    /** Removes those a process left that ended: a restore ends with the process it began in. */
    static void removeAll(Engine engine) {
        for (StreamMachine stream : engine.streams().all()) {
            if (is(stream)) {
                engine.propose(RecordType.STREAM_DELETE, stream.id(), new byte[0], Waiter.NOBODY);
            }
        }
    }
}
