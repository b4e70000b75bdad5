package io.penstock.jetstream.runtime;

import io.penstock.jetstream.state.RecordType;
import io.penstock.jetstream.state.StreamMachine;
import io.penstock.jetstream.state.StreamSet;
import io.penstock.protocol.jetstream.JsException;

/**
 * The last step of a restore, while nobody else may take the stream's name: one more check, then the record that makes
 * the stream whole, in the log only this node has. Owned by the loop.
 *
 * @param free lets others have the name; runs when it came to nothing
 * @param whole goes on from the stream that is there, still holding the name
 */
public record RestoreEnd(RestoreTarget target, RestoreTarget.Outcome outcome, Runnable free, Runnable whole)
        implements Waiter {
    /**
     * Takes the step.
     *
     * @param end the body of the record
     */
    public void take(Host host, StreamMachine stream, byte[] end) {
        try {
            target.check(stream.store().state().bytes());
        } catch (JsException e) {
            free.run();
            outcome.refused(e.error());
            return;
        }
        host.engine(Host.SOLO).propose(RecordType.IMPORT_END, stream.id(), end, this);
    }

    @Override
    public void applied(Object result) {
        if (result instanceof StreamSet.Refused refused) {
            free.run();
            outcome.refused(refused.error());
        } else {
            whole.run();
        }
    }

    @Override
    public void unknown(Throwable cause) {
        free.run();
        outcome.unknown(cause);
    }
}
