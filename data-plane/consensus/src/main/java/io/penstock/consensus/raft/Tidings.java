package io.penstock.consensus.raft;

import com.alipay.sofa.jraft.rpc.RpcRequests.AppendEntriesRequest;

/**
 * What one follower was told of commits by appends. It applies what it hears of at once and changes threads twice for
 * that, so that it hears of many small commits together. After the last append {@link CommitNotice} tells it the rest.
 *
 * <p>Owned by whoever sends to the follower: the engine sends to one from one thread at a time.
 */
final class Tidings {
    /** No more often than this. */
    private static final long EVERY_NANOS = 1_000_000;

    private long told;
    private long toldAt;

    Tidings(long now) {
        toldAt = now - EVERY_NANOS;
    }

    /** The append as it is to be sent; a commit may be told late, never early. */
    AppendEntriesRequest pass(AppendEntriesRequest append, long now) {
        long committed = append.getCommittedIndex();
        if (committed <= told) {
            return append;
        }
        if (append.getEntriesCount() > 0 && now - toldAt < EVERY_NANOS) {
            return append.toBuilder().setCommittedIndex(told).build();
        }
        told = committed;
        toldAt = now;
        return append;
    }
}
