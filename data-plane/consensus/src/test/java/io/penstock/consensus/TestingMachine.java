package io.penstock.consensus;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A state machine that keeps the numbers it is given, with checkpoints on a disk of its own. What the loop writes is
 * safe to read elsewhere.
 */
final class TestingMachine implements ReplicatedLog.StateMachine, Snapshots {
    /** A number of the state. */
    record Value(long index, long timestampNanos, long number) {}

    /** What survives a crash: the last checkpoint. */
    static final class Saved {
        private volatile byte[] state = {};
        private volatile long index;

        long index() {
            return index;
        }
    }

    private final Saved saved;
    private final List<Value> values = new CopyOnWriteArrayList<>();
    final List<Object> acknowledged = new CopyOnWriteArrayList<>();
    final List<Object> unknown = new CopyOnWriteArrayList<>();
    final List<Object> notProposed = new CopyOnWriteArrayList<>();
    final List<ReplicatedLog.Role> roles = new CopyOnWriteArrayList<>();
    volatile long lastIndex;
    final AtomicInteger installed = new AtomicInteger();
    private volatile long ended;
    private final AtomicInteger checkpoints = new AtomicInteger();
    private final AtomicInteger applications = new AtomicInteger();
    private final AtomicInteger failing = new AtomicInteger();
    private volatile long poison = Long.MIN_VALUE;
    private long toSkip;

    TestingMachine(Saved saved) {
        this.saved = saved;
        load(saved.state);
        lastIndex = saved.index;
        toSkip = saved.index;
    }

    static byte[] entry(long number) {
        return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
    }

    @Override
    public void apply(long index, long timestampNanos, byte[] entry, int length, Object attachment) {
        if (attachment != null) {
            acknowledged.add(attachment);
        }
        if (index <= toSkip) {
            return;
        }
        if (index <= lastIndex) {
            throw new AssertionError("entry " + index + " comes after " + lastIndex);
        }
        if (ByteBuffer.wrap(entry).getLong() == poison) {
            throw new IllegalStateException("it throws, as the test wants it");
        }
        lastIndex = index;
        applications.incrementAndGet();
        values.add(new Value(
                index, timestampNanos, ByteBuffer.wrap(entry, 0, length).getLong()));
    }

    @Override
    public void applied(long index) {}

    @Override
    public void failed(Object attachment, Throwable cause) {
        (cause instanceof NotProposedException ? notProposed : unknown).add(attachment);
    }

    @Override
    public void roleChanged(ReplicatedLog.Role role, String leader, long term) {
        roles.add(role);
    }

    List<Value> values() {
        return List.copyOf(values);
    }

    List<Long> numbers() {
        return values.stream().map(Value::number).toList();
    }

    /** Takes a checkpoint and lets the log go up to it; on the loop. */
    void checkpoint(ReplicatedLog log) {
        log.beginCheckpoint(index -> {
            if (index >= 0) {
                save();
                log.checkpointed(index);
                ended = index;
                checkpoints.incrementAndGet();
            }
        });
    }

    /** So many installations of copies fail from now on. */
    void failInstallations(int times) {
        failing.set(times);
    }

    /** Applying this number throws. */
    void throwAt(long number) {
        poison = number;
    }

    /** The index of the last checkpoint, 0 when there is none. */
    long checkpointed() {
        return ended;
    }

    /** Checkpoints taken in this life. */
    int checkpoints() {
        return checkpoints.get();
    }

    /** Entries applied in this life. */
    int applications() {
        return applications.get();
    }

    private void save() {
        ByteBuffer buffer = ByteBuffer.allocate(values.size() * 24);
        values.forEach(value ->
                buffer.putLong(value.index).putLong(value.timestampNanos).putLong(value.number));
        saved.state = buffer.array();
        saved.index = lastIndex;
    }

    private void load(byte[] bytes) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        List<Value> loaded = new ArrayList<>();
        while (buffer.hasRemaining()) {
            loaded.add(new Value(buffer.getLong(), buffer.getLong(), buffer.getLong()));
        }
        values.clear();
        values.addAll(loaded);
        lastIndex = loaded.isEmpty() ? 0 : loaded.getLast().index;
    }

    @Override
    public byte[] manifest() {
        return ByteBuffer.allocate(8).putLong(saved.index).array();
    }

    @Override
    public InputStream open(String file) throws IOException {
        if (!file.equals("state-" + saved.index)) {
            throw new NoSuchFileException(file);
        }
        return new ByteArrayInputStream(saved.state);
    }

    @Override
    public Staged fetch(Fetcher fetcher) throws IOException {
        long index = ByteBuffer.wrap(fetcher.manifest()).getLong();
        byte[] state;
        try (InputStream in = fetcher.open("state-" + index)) {
            state = in.readAllBytes();
        }
        return new Staged() {
            @Override
            public void install(long at) throws IOException {
                if (failing.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                    throw new IOException("it fails, as the test wants it");
                }
                if (index > lastIndex) {
                    load(state);
                }
                save();
                toSkip = lastIndex;
                installed.incrementAndGet();
            }

            @Override
            public void discard() {}
        };
    }
}
