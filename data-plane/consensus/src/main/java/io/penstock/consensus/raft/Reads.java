package io.penstock.consensus.raft;

import com.alipay.sofa.jraft.Node;
import com.alipay.sofa.jraft.Status;
import com.alipay.sofa.jraft.closure.ReadIndexClosure;
import io.penstock.consensus.GroupLoop;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Asks the engine how far a reader has to wait so that it sees everything that was acknowledged before it came. */
final class Reads {
    private static final long READ_NANOS = 3_000_000_000L;

    private Reads() {}

    /** Completes on the group's loop with the index, or fails when the leader does not answer in time. */
    static CompletionStage<Long> index(Node engine, GroupLoop loop, Delivery delivery) {
        CompletableFuture<Long> done = new CompletableFuture<>();
        loop.schedule(
                READ_NANOS,
                () -> done.completeExceptionally(new IllegalStateException("the leader did not answer in time")));
        try {
            engine.readIndex(new byte[0], new ReadIndexClosure(-1) {
                @Override
                public void run(Status status, long index, byte[] context) {
                    delivery.event(() -> {
                        if (status.isOk()) {
                            done.complete(index);
                        } else {
                            done.completeExceptionally(new IllegalStateException(status.toString()));
                        }
                    });
                }
            });
        } catch (IllegalStateException e) {
            return CompletableFuture.failedFuture(e);
        }
        return done;
    }
}
