package io.penstock.jetstream.runtime;

import io.penstock.consensus.Checkpointed;
import java.util.concurrent.CompletableFuture;

/** Where the streams that need checkpoints are made known. Called on the loop. */
public interface Parts {
    /** Nobody takes checkpoints: tests, logs in memory. */
    Parts NONE = new Parts() {
        @Override
        public void add(Checkpointed part) {}

        @Override
        public void remove(Checkpointed part) {}
    };

    void add(Checkpointed part);

    void remove(Checkpointed part);

    /** Whether the disk has room for more. */
    default Room room() {
        return Room.ENOUGH;
    }

    /** A round of checkpoints that begins now; completes with whether all is durable. */
    default CompletableFuture<Boolean> round() {
        return CompletableFuture.completedFuture(false);
    }
}
