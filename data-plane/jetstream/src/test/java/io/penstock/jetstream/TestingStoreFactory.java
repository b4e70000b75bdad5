package io.penstock.jetstream;

import io.penstock.protocol.SubjectFilter;
import io.penstock.storage.FrozenMessages;
import io.penstock.storage.StorageException;
import io.penstock.storage.StoreFactory;
import io.penstock.storage.StoredMessage;
import io.penstock.storage.StreamState;
import io.penstock.storage.StreamStore;
import io.penstock.storage.SubjectState;
import io.penstock.storage.store.MemoryStreamStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.function.LongPredicate;

/** Stores in memory whose checkpoints outlive a crash: what is on disk is what the last written checkpoint froze. */
final class TestingStoreFactory implements StoreFactory {
    private record Frozen(
            StoredStream stream, List<StoredMessage> messages, long lastSequence, long lastTime, byte[] attachment) {}

    private final Map<Long, Frozen> disk = new TreeMap<>();
    private StorageException failNext;

    @Override
    public List<StoredStream> list() {
        return disk.values().stream().map(Frozen::stream).toList();
    }

    @Override
    public StreamStore create(String account, String stream, long incarnation) {
        return new Store(account, stream, incarnation, new MemoryStreamStore(), 0, new byte[0]);
    }

    @Override
    public StreamStore open(StoredStream stream) {
        Frozen frozen = disk.get(stream.incarnation());
        MemoryStreamStore store = new MemoryStreamStore();
        for (StoredMessage m : frozen.messages) {
            byte[] body = new byte[m.headers().length + m.payload().length];
            System.arraycopy(m.headers(), 0, body, 0, m.headers().length);
            System.arraycopy(m.payload(), 0, body, m.headers().length, m.payload().length);
            store.append(
                    m.sequence(),
                    m.timestampNanos(),
                    m.subject(),
                    body,
                    0,
                    m.headers().length,
                    m.headers().length,
                    m.payload().length);
        }
        if (store.state().lastSequence() < frozen.lastSequence) {
            store.skip(frozen.lastSequence, frozen.lastTime);
        }
        return new Store(
                stream.account(),
                stream.stream(),
                stream.incarnation(),
                store,
                frozen.stream.checkpointIndex(),
                frozen.attachment);
    }

    /** Lets the next append fail. */
    void failNextAppend(String message) {
        failNext = new StorageException(message);
    }

    @Override
    public StreamStore createInMemory() {
        return new MemoryStreamStore();
    }

    @Override
    public void quarantineUnknown() {}

    @Override
    public long usedBytes() {
        return 0;
    }

    @Override
    public long usableBytes() {
        return Long.MAX_VALUE;
    }

    @Override
    public void syncDirectories() {}

    @Override
    public void close() {}

    private final class Store implements StreamStore {
        private final String account;
        private final String name;
        private final long incarnation;
        private final MemoryStreamStore store;
        private long checkpointIndex;
        private byte[] attachment;

        Store(String account, String name, long incarnation, MemoryStreamStore store, long index, byte[] attachment) {
            this.account = account;
            this.name = name;
            this.incarnation = incarnation;
            this.store = store;
            this.checkpointIndex = index;
            this.attachment = attachment;
        }

        @Override
        public void append(long sequence, long time, String subject, byte[] source, int ho, int hl, int po, int pl) {
            if (failNext != null) {
                StorageException failing = failNext;
                failNext = null;
                throw failing;
            }
            store.append(sequence, time, subject, source, ho, hl, po, pl);
        }

        @Override
        public void skip(long sequence, long timestampNanos) {
            store.skip(sequence, timestampNanos);
        }

        @Override
        public long sizeOf(int subjectLength, int headersLength, int payloadLength) {
            return store.sizeOf(subjectLength, headersLength, payloadLength);
        }

        @Override
        public StreamState state() {
            return store.state();
        }

        @Override
        public FrozenMessages freeze() {
            return store.freeze();
        }

        @Override
        public StoredMessage load(long sequence) {
            return store.load(sequence);
        }

        @Override
        public StoredMessage next(SubjectFilter filter, long fromSequence) {
            return store.next(filter, fromSequence);
        }

        @Override
        public long nextSequence(SubjectFilter filter, long fromSequence) {
            return store.nextSequence(filter, fromSequence);
        }

        @Override
        public long lastSequence(SubjectFilter filter, long upToSequence) {
            return store.lastSequence(filter, upToSequence);
        }

        @Override
        public SubjectState subject(String subject) {
            return store.subject(subject);
        }

        @Override
        public void subjects(SubjectFilter filter, BiPredicate<String, SubjectState> visitor) {
            store.subjects(filter, visitor);
        }

        @Override
        public void lastPerSubject(SubjectFilter filter, long upToSequence, LongPredicate visitor) {
            store.lastPerSubject(filter, upToSequence, visitor);
        }

        @Override
        public long pending(SubjectFilter filter, long fromSequence, boolean lastPerSubject) {
            return store.pending(filter, fromSequence, lastPerSubject);
        }

        @Override
        public long sequenceAt(long timestampNanos) {
            return store.sequenceAt(timestampNanos);
        }

        @Override
        public void deleted(LongPredicate visitor) {
            store.deleted(visitor);
        }

        @Override
        public boolean remove(long sequence, boolean erase) {
            return store.remove(sequence, erase);
        }

        @Override
        public long purge(SubjectFilter filter, long belowSequence, long keep) {
            return store.purge(filter, belowSequence, keep);
        }

        @Override
        public long checkpointIndex() {
            return checkpointIndex;
        }

        @Override
        public byte[] checkpointAttachment() {
            return attachment;
        }

        @Override
        public Checkpoint beginCheckpoint(long appliedIndex, byte[] newAttachment) {
            store.beginCheckpoint(appliedIndex, newAttachment);
            List<StoredMessage> messages = new ArrayList<>();
            for (var m = next(SubjectFilter.ALL, 1); m != null; m = next(SubjectFilter.ALL, m.sequence() + 1)) {
                messages.add(m);
            }
            StreamState state = state();
            Frozen frozen = new Frozen(
                    new StoredStream(account, name, incarnation, appliedIndex, ""),
                    messages,
                    state.lastSequence(),
                    state.lastTimestampNanos(),
                    newAttachment);
            return () -> {
                disk.put(incarnation, frozen);
                checkpointIndex = appliedIndex;
                attachment = newAttachment;
            };
        }

        @Override
        public boolean dirty() {
            return store.dirty();
        }

        @Override
        public void delete() {
            disk.remove(incarnation);
        }

        @Override
        public void close() {}
    }
}
