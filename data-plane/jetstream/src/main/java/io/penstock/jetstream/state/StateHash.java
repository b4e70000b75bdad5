package io.penstock.jetstream.state;

import io.penstock.protocol.SubjectFilter;
import io.penstock.storage.StoredMessage;
import io.penstock.storage.StreamStore;
import java.util.Arrays;

/** A number that two equal states of a stream share: how replicas, and lives of one node, are compared. */
final class StateHash {
    private StateHash() {}

    static long of(byte[] encodedState, StreamStore store) {
        long hash = Arrays.hashCode(encodedState);
        hash = hash * 31 + store.state().hashCode();
        for (StoredMessage m = store.next(SubjectFilter.ALL, 1);
                m != null;
                m = store.next(SubjectFilter.ALL, m.sequence() + 1)) {
            hash = hash * 31 + m.sequence();
            hash = hash * 31 + m.timestampNanos();
            hash = hash * 31 + m.subject().hashCode();
            hash = hash * 31 + Arrays.hashCode(m.headers());
            hash = hash * 31 + Arrays.hashCode(m.payload());
        }
        return hash;
    }
}
