package io.penstock.jetstream.api;

import io.penstock.jetstream.runtime.StreamRuntime;
import io.penstock.jetstream.runtime.Waiter;
import io.penstock.jetstream.state.RecordType;
import java.util.function.Supplier;

/** Changes to messages: through the log, or at once when the stream's messages are in memory only. */
final class Immediate {
    private Immediate() {}

    static void propose(StreamRuntime stream, RecordType type, byte[] body, Supplier<Object> inMemory, Waiter waiter) {
        if (stream.machine().isVolatile()) {
            waiter.applied(inMemory.get());
        } else {
            stream.engine().propose(type, stream.id(), body, waiter);
        }
    }
}
