package io.penstock.jetstream.cluster;

import io.penstock.consensus.GroupLoop;
import io.penstock.consensus.RaftGroup;
import io.penstock.consensus.ReplicatedLog;
import io.penstock.consensus.Snapshots;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The metadata's log at work: applies it to the state, proposes to it, takes and gives snapshots. Owned by the loop. */
final class MetaMachine implements ReplicatedLog.StateMachine, Snapshots {
    private static final Logger LOG = LoggerFactory.getLogger(MetaMachine.class);
    static final String GROUP = "_meta_";

    /** Time between looks at the log. */
    private static final long LOOK_NANOS = 10_000_000_000L;

    /** While changes come, a snapshot is taken at every so many looks. */
    private static final int LOOKS_A_SNAPSHOT = 3;

    /** Hears of more than single changes. */
    interface Observer extends MetaState.Listener {
        /** The role of this node, or the leader, is another. */
        void role(ReplicatedLog.Role role, String leader);

        /** The whole state is another: a copy of another node's. */
        void replaced();
    }

    /** Whoever proposed an entry. */
    interface Outcome {
        /** It is applied; {@code accepted} tells whether every record fitted. */
        void applied(boolean accepted);

        /** What became of it is not known. */
        default void failed(Throwable cause) {}
    }

    private final GroupLoop loop;
    private final MetaStore store;
    private final Executor writer;
    private final Observer observer;
    private RaftGroup log;
    private MetaState state = new MetaState();
    private long appliedIndex;
    private long savedIndex;
    private boolean saving;
    private int looks;
    private boolean live;
    private boolean closed;
    private ReplicatedLog.Role role = ReplicatedLog.Role.STOPPED;
    private String leader = "";

    /** When the present leader was first heard of, nanoseconds since the epoch; 0 when there is none. */
    private long leaderSince;

    /** When this node began to lead, by its steady clock. */
    private long ledSince;

    MetaMachine(GroupLoop loop, MetaStore store, Executor writer, Observer observer) {
        this.loop = loop;
        this.store = store;
        this.writer = writer;
        this.observer = observer;
    }

    /** Takes the state of a snapshot, before {@link #start}. */
    void load(MetaStore.Snapshot snapshot) {
        state = MetaState.decode(snapshot.state());
        appliedIndex = snapshot.index();
        savedIndex = appliedIndex;
    }

    void start(RaftGroup group) {
        log = group;
        // From the log's beginning: what the snapshot contains is skipped.
        group.start(this, 0);
        loop.schedule(LOOK_NANOS, this::look);
    }

    boolean started() {
        return log != null;
    }

    RaftGroup log() {
        return log;
    }

    MetaState state() {
        return state;
    }

    /** The last entry applied. */
    long appliedIndex() {
        return appliedIndex;
    }

    boolean leading() {
        return role == ReplicatedLog.Role.LEADER;
    }

    /** Whether this node leads and no other can: what it knows is the present state. */
    boolean sure() {
        return log.holdsLease();
    }

    ReplicatedLog.Role role() {
        return role;
    }

    /** The node that leads, empty when none is known. */
    String leader() {
        return leader;
    }

    /** Whether this node led already when it heard a request: if not, whoever led then answers it. */
    boolean ledAt(long steady) {
        return leading() && ledSince <= steady;
    }

    long leaderSince() {
        return leaderSince;
    }

    void propose(List<MetaRecord> records, Outcome outcome) {
        if (!leading()) {
            outcome.failed(new IllegalStateException("this node does not lead the metadata"));
            return;
        }
        byte[] entry = MetaRecord.encode(records);
        log.propose(loop.now(), entry, entry.length, outcome);
    }

    void close() {
        closed = true;
    }

    // --- the log --------------------------------------------------------------------------------------------------

    @Override
    public void apply(long index, long timestampNanos, byte[] entry, int length, Object attachment) {
        if (index <= appliedIndex) {
            return;
        }
        appliedIndex = index;
        boolean accepted = true;
        for (MetaRecord record : MetaRecord.decode(entry, length)) {
            accepted &= state.apply(index, timestampNanos, record, live, observer);
        }
        if (attachment instanceof Outcome outcome) {
            outcome.applied(accepted);
            // The others hear of a commit with the next entry: send one at once, they may have to act on this one.
            if (leading() && length > 0 && log.pendingBytes() == 0) {
                log.propose(loop.now(), new byte[0], 0, null);
            }
        }
    }

    @Override
    public void applied(long index) {
        // Each entry is answered as it is applied.
    }

    @Override
    public void failed(Object attachment, Throwable cause) {
        if (attachment instanceof Outcome outcome) {
            outcome.failed(cause);
        }
    }

    @Override
    public void roleChanged(ReplicatedLog.Role newRole, String newLeader, long term) {
        if (newRole == ReplicatedLog.Role.LEADER && !leading()) {
            ledSince = loop.steady();
        }
        role = newRole;
        live = newRole != ReplicatedLog.Role.STOPPED;
        if (!newLeader.equals(leader)) {
            leader = newLeader;
            leaderSince = leader.isEmpty() ? 0 : loop.now();
        }
        observer.role(newRole, newLeader);
    }

    // --- snapshots ------------------------------------------------------------------------------------------------

    /**
     * Also when there is nothing new: the log keeps what the last checkpoint has until there is another. Were it not asked
     * again, a few entries would hold the node's whole journal for ever.
     */
    private void look() {
        if (!closed) {
            looks++;
            if (appliedIndex == savedIndex || looks % LOOKS_A_SNAPSHOT == 0) {
                hurry();
            }
            loop.schedule(LOOK_NANOS, this::look);
        }
    }

    /** Lets go of what can go of the log, soon. */
    void hurry() {
        // Before the first entry there is nothing that another node could be given.
        if (!closed && !saving && started() && appliedIndex > 0) {
            save(() -> {});
        }
    }

    /** Makes the state durable and lets the log go up to the last time this was done, or all of it when nothing is new. */
    void save(Runnable done) {
        saving = true;
        log.beginCheckpoint(index -> {
            if (index < 0) {
                saving = false;
                done.run();
                return;
            }
            long upTo = appliedIndex;
            Consumer<Boolean> end = saved -> {
                saving = false;
                if (saved) {
                    savedIndex = Math.max(savedIndex, upTo);
                }
                log.checkpointed(saved ? index : 0);
                done.run();
            };
            // What is on disk may be the present state; only the engine has new entries of its own then.
            MetaStore.Snapshot snapshot =
                    upTo > 0 && upTo == savedIndex ? null : new MetaStore.Snapshot(upTo, state.encode());
            writer.execute(() -> {
                boolean saved = write(snapshot);
                loop.execute(() -> end.accept(saved));
            });
        });
    }

    private boolean write(MetaStore.Snapshot snapshot) {
        try {
            // The log first: what the snapshot contains must not be missing in it after a power loss.
            log.force();
            if (snapshot != null) {
                store.snapshot(snapshot);
            }
            return true;
        } catch (RuntimeException e) {
            LOG.error("the metadata has no snapshot, its log grows: {}", e.toString());
            return false;
        }
    }

    @Override
    public byte[] manifest() throws IOException {
        String newest = store.newest();
        if (newest == null) {
            throw new NoSuchFileException("a snapshot of the metadata");
        }
        return newest.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public InputStream open(String file) throws IOException {
        return store.open(file);
    }

    @Override
    public Staged fetch(Fetcher fetcher) throws IOException {
        while (true) {
            String name = new String(fetcher.manifest(), StandardCharsets.UTF_8);
            try (InputStream in = fetcher.open(name)) {
                byte[] bytes = in.readAllBytes();
                return new Copy(MetaState.decode(bytes), new MetaStore.Snapshot(MetaStore.index(name), bytes));
            } catch (NoSuchFileException e) {
                LOG.debug("a newer snapshot took the place of {}", name);
            }
        }
    }

    /** Another node's state, not in force yet. */
    private final class Copy implements Staged {
        private final MetaState copy;
        private final MetaStore.Snapshot snapshot;

        Copy(MetaState copy, MetaStore.Snapshot snapshot) {
            this.copy = copy;
            this.snapshot = snapshot;
        }

        @Override
        public void install(long index) {
            // It may contain more than what it was asked for: entries up to there are skipped.
            store.snapshot(snapshot);
            appliedIndex = Math.max(index, snapshot.index());
            savedIndex = appliedIndex;
            state = copy;
            observer.replaced();
        }

        @Override
        public void discard() {
            // It is in memory only.
        }
    }
}
