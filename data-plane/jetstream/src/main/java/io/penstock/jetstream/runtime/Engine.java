package io.penstock.jetstream.runtime;

import io.penstock.consensus.GroupLoop;
import io.penstock.consensus.NotProposedException;
import io.penstock.consensus.ReplicatedLog;
import io.penstock.jetstream.JetStreamOptions;
import io.penstock.jetstream.state.ByteReader;
import io.penstock.jetstream.state.CheckResult;
import io.penstock.jetstream.state.RecordType;
import io.penstock.jetstream.state.StreamMachine;
import io.penstock.jetstream.state.StreamSet;
import io.penstock.protocol.jetstream.JsError;
import io.penstock.storage.StorageException;
import io.penstock.storage.StoreFactory;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.agrona.collections.Long2ObjectHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One placement group at work: applies its log to the streams and, as leader, turns what clients send into records.
 *
 * <p>Everything runs on the node's loop. A turn of it ends with {@link #endTurn}: consumers hand out what they can,
 * progress is put into the log, the next entry is proposed.
 */
public final class Engine implements ReplicatedLog.StateMachine, StreamSet.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(Engine.class);

    private final Host host;
    private final String group;
    private final ReplicatedLog log;
    private final StoreFactory stores;
    private final StreamSet streams;
    private final Batcher batcher;
    private final Parts parts;
    private final CatchUp catchUp;
    private final Reconciler reconciler;
    private final Repairs repairs;
    private final Gate gate;

    /** Whether other nodes have the same log. */
    private final boolean replicated;

    /** The streams at work while this node leads, by id. */
    private final Long2ObjectHashMap<StreamRuntime> led = new Long2ObjectHashMap<>();

    /** In a cluster, every stream held here, by id. */
    private final Long2ObjectHashMap<Replica> held = new Long2ObjectHashMap<>();

    private final HandOut handOut;

    private final Progress progress;

    /** Reads whose turn has come. */
    private final ArrayDeque<Runnable> released = new ArrayDeque<>();

    /** Whether this node answers for the group; alone, it stays so while the log takes nothing for want of disk. */
    private boolean leading;

    /** Whether the log takes entries. */
    private boolean writable;

    /** Whether what is held here is close enough to the leader's to be shown. */
    private boolean current;

    private boolean stopped;

    /** When the present leader was first heard of, nanoseconds since the epoch; 0 when there is none. */
    private long leaderSince;

    private String leader = "";

    Engine(Host host, String group, ReplicatedLog log, StoreFactory stores, Parts parts, boolean replicated) {
        this.host = host;
        this.group = group;
        this.log = log;
        this.stores = stores;
        this.parts = parts;
        this.replicated = replicated;
        this.streams = new StreamSet(stores, this, replicated);
        this.batcher = new Batcher(host.loop(), log);
        this.catchUp = new CatchUp(host.loop(), log);
        this.reconciler = new Reconciler(this);
        this.repairs = new Repairs(this);
        this.gate = new Gate(this, parts.room());
        this.handOut = new HandOut(host.loop(), log, host::soon);
        this.progress = new Progress(host.loop(), host::soon);
    }

    /** Opens the streams, applies the log again, begins to work. On the loop. */
    public void start() {
        streams.recover();
        log.start(this, 0);
    }

    /** Puts what is gathered into the log. */
    void flush() {
        progress.log(writable);
        batcher.pump();
    }

    /** Puts what is gathered into the log; nothing comes after. */
    void stop() {
        stopped = true;
        flush();
    }

    /**
     * Hands nothing out any more until {@link #resume}, and runs this once what consumers did so far is applied: whoever
     * leads next is to know it.
     *
     * @param times how often what came meanwhile is put into the log, too
     */
    void settle(int times, Runnable then) {
        if (leading) {
            handOut.pause();
        }
        if (times == 0 || !leading || (progress.isEmpty() && batcher.idle())) {
            then.run();
        } else {
            flush();
            // Meanwhile more may have come.
            batcher.afterPending(() -> settle(times - 1, then));
        }
    }

    /** Hands out again, after {@link #settle}. */
    void resume() {
        handOut.resume();
    }

    /** Leads no more, and lets go of the streams. */
    void dismiss() {
        follow();
        stopped = true;
        closeStreams();
    }

    private void closeStreams() {
        held.values().forEach(Replica::close);
        held.clear();
        streams.all().forEach(parts::remove);
        streams.close();
    }

    /** What takes the place of files while no stream is open. */
    interface Replacement {
        void run() throws IOException;
    }

    /** Goes on with other files: a copy of another replica's. */
    void replaceStreams(Replacement replacement) throws IOException {
        if (leading) {
            throw new IllegalStateException("group " + group + " is led here and needs no copy");
        }
        LOG.info("group {}: goes on with a copy from another replica", group);
        closeStreams();
        repairs.forget();
        replacement.run();
        streams.recover();
    }

    /** The time of the log. */
    long logTime() {
        return batcher.logTime();
    }

    void warn(String what, Exception cause) {
        LOG.warn("group {}: {}: {}", group, what, cause.toString());
    }

    // --- log ------------------------------------------------------------------------------------------------------

    @Override
    public void apply(long index, long timestampNanos, byte[] entry, int length, Object attachment) {
        batcher.sawTime(timestampNanos);
        Batcher.Entry own = attachment instanceof Batcher.Entry e ? e : null;
        ByteReader in = new ByteReader(entry, 0, length);
        int position = 0;
        while (in.hasMore()) {
            int size = in.length();
            int at = in.position();
            in.skip(size);
            long now = timestampNanos + position;
            Object result = streams.apply(index, position, now, entry, at, at + size);
            if (own != null) {
                answer(own.waiter(position), result);
            }
            position++;
        }
        batcher.sawTime(timestampNanos + position);
        if (own != null) {
            batcher.settled();
            released.addAll(own.followers());
        }
    }

    private static void answer(Waiter waiter, Object result) {
        try {
            if (result == StreamSet.MOVING) {
                waiter.moving();
            } else if (result == StreamSet.BEHIND) {
                waiter.unknown(new StorageException("the stream is being mended here"));
            } else {
                waiter.applied(result);
            }
        } catch (RuntimeException e) {
            LOG.error("answering a record failed", e);
        }
    }

    @Override
    public void applied(long index) {
        runReleased();
        catchUp.applied(index);
        if (leading) {
            endTurn();
        }
        host.flushClients();
    }

    @Override
    public void failed(Object attachment, Throwable cause) {
        boolean proposed = !(cause instanceof NotProposedException);
        if (proposed) {
            LOG.error("group {}: log entry has no outcome: {}", group, cause.getMessage());
        } else {
            LOG.info("group {}: a log entry was not taken: {}", group, cause.getMessage());
        }
        if (attachment instanceof Batcher.Entry entry) {
            batcher.settled();
            entry.waiters().forEach(w -> tell(w, proposed, cause));
            released.addAll(entry.followers());
        }
        batcher.abandon(cause);
        runReleased();
        host.flushClients();
    }

    private static void tell(Waiter waiter, boolean proposed, Throwable cause) {
        if (proposed) {
            waiter.unknown(cause);
        } else {
            waiter.notProposed(cause);
        }
    }

    @Override
    public void roleChanged(ReplicatedLog.Role role, String newLeader, long term) {
        if (!newLeader.equals(leader)) {
            leader = newLeader;
            leaderSince = leader.isEmpty() ? 0 : host.loop().now();
        }
        writable = role == ReplicatedLog.Role.LEADER;
        switch (role) {
            case LEADER -> {
                if (leading) {
                    // What was on its way into the log is lost; what the log has is what holds.
                    led.values().forEach(StreamRuntime::resync);
                } else {
                    lead(term);
                }
                host.soon();
            }
            case CANDIDATE -> {
                if (replicated) {
                    follow();
                } else {
                    LOG.warn("the log takes no entries: writes are refused, reads go on");
                }
            }
            case FOLLOWER, LEARNER, STOPPED -> follow();
        }
        setCurrent(role == ReplicatedLog.Role.LEADER || role == ReplicatedLog.Role.FOLLOWER);
        host.roleChanged(this);
        repairs.roleChanged();
    }

    private void lead(long term) {
        leading = true;
        if (replicated) {
            LOG.info("group {}: this node leads, term {}", group, term);
        }
        stores.quarantineUnknown();
        streams.all().forEach(this::begin);
        reconciler.begin();
        Hidden.removeAll(this);
    }

    private void begin(StreamMachine stream) {
        if (!reconciler.owns(stream)) {
            return;
        }
        StreamRuntime runtime = new StreamRuntime(this, host.account(stream.account()), stream);
        led.put(stream.id(), runtime);
        runtime.account().lead(runtime);
    }

    /** A stream is at work in this group from now on: by what the metadata says, or out of a backup. */
    public void arrived(StreamMachine stream) {
        Replica.hold(this, stream, held);
        if (leading && !led.containsKey(stream.id())) {
            begin(stream);
        }
    }

    private void follow() {
        if (!leading) {
            return;
        }
        leading = false;
        writable = false;
        if (replicated) {
            LOG.info("group {}: this node leads no more", group);
        }
        reconciler.forget();
        batcher.abandon(new StorageException("this node leads group " + group + " no more"));
        gate.abandon(new StorageException("this node leads group " + group + " no more"));
        handOut.abandon();
        progress.clear();
        for (StreamRuntime stream : led.values()) {
            stream.follow();
            stream.account().letGo(stream);
        }
        led.clear();
        held.values().forEach(Replica::watch);
        runReleased();
    }

    private void setCurrent(boolean now) {
        if (current != now) {
            current = now;
            held.values().forEach(Replica::configure);
        }
    }

    @Override
    public void streamAdded(StreamMachine stream) {
        parts.add(stream);
        Replica.hold(this, stream, held);
        if (leading) {
            begin(stream);
        }
    }

    @Override
    public void streamRemoved(StreamMachine stream) {
        parts.remove(stream);
        StreamRuntime runtime = led.remove(stream.id());
        if (runtime != null) {
            runtime.account().letGo(runtime);
            runtime.deleted();
        }
        Replica replica = held.remove(stream.id());
        if (replica != null) {
            replica.close();
        }
    }

    @Override
    public void streamDamaged(long id, String reason) {
        host.repairCounts().damaged.increment();
        // Not from within: the log is being applied.
        host.loop().execute(() -> repairs.want(id, reason));
    }

    @Override
    public void checked(CheckResult result) {
        repairs.checked(result);
    }

    /** How a stream is copied from another replica; before {@link #start}. */
    public void copies(Copies copies) {
        repairs.use(copies);
    }

    /** A file of a stream is damaged: the stream is fetched from another replica, if there is one. Any thread. */
    public void damaged(long id, String detail) {
        host.loop().execute(() -> {
            if (replicated && streams.get(id) != null) {
                streamDamaged(id, detail);
            }
        });
    }

    /** Has the replicas compare, without waiting for the next time. */
    public void compareReplicas() {
        repairs.check();
    }

    Repairs repairs() {
        return repairs;
    }

    boolean isStopped() {
        return stopped;
    }

    void reconfigured(StreamMachine stream) {
        Replica replica = held.get(stream.id());
        if (replica != null) {
            replica.configure();
        }
    }

    /** Brings every stream in line with the metadata, which has changed as a whole. */
    public void reconcile() {
        if (leading && !stopped) {
            reconciler.all();
        }
    }

    void assigned(StreamAssignment assignment) {
        if (leading && !stopped) {
            reconciler.assigned(assignment);
        }
    }

    void unassigned(String account, String stream, long generation) {
        if (leading && !stopped) {
            reconciler.unassigned(generation);
        }
    }

    // --- proposing ------------------------------------------------------------------------------------------------

    /** Puts a record into the log. */
    public void propose(RecordType type, long stream, byte[] body, Waiter waiter) {
        if (writable) {
            batcher.add(type, stream, body, waiter);
            host.soon();
        } else {
            refuse(waiter);
        }
    }

    void propose(Incoming command) {
        if (writable) {
            if (gate.passes(command)) {
                batcher.add(command.record(), command);
                host.soon();
            }
        } else {
            refuse(command);
        }
    }

    private void refuse(Waiter waiter) {
        if (leading) {
            waiter.applied(new StreamSet.Refused(JsError.STORAGE_RESOURCES_EXCEEDED.of()));
        } else {
            waiter.notProposed(new StorageException("this node does not lead group " + group));
        }
    }

    /** Whether this node answers for the group. */
    public boolean leading() {
        return leading && !stopped;
    }

    /** Whether the node has room for more messages. */
    public Room room() {
        return parts.room();
    }

    /** Whether the log takes entries. */
    public boolean writable() {
        return writable;
    }

    /** Whether what is held here is close to the leader's. */
    boolean current() {
        return current && !stopped;
    }

    /**
     * Runs this when everything proposed before it is applied: who publishes without asking for an acknowledgement and
     * then reads finds what was published.
     */
    void afterPending(Runnable action) {
        batcher.afterPending(action);
    }

    /** Reads here, leader or not, when everything this node has in its log by now is applied, or in a moment. */
    public void read(Runnable read) {
        catchUp.read(read);
    }

    private void runReleased() {
        for (Runnable action = released.poll(); action != null; action = released.poll()) {
            action.run();
        }
    }

    // --- turns ----------------------------------------------------------------------------------------------------

    void ready(ConsumerRuntime consumer) {
        handOut.ready(consumer);
    }

    /** Whether what this node has of the group is sure to be the present state. */
    public boolean sure() {
        return log.holdsLease();
    }

    /** Runs a request once that is so, or once another node leads. */
    public void whenSure(Runnable request) {
        handOut.whenSure(request);
    }

    /** A consumer has progress that is not in the log; {@code urgent} when somebody waits for it to be. */
    void progress(ConsumerRuntime consumer, boolean urgent) {
        progress.of(consumer, urgent);
    }

    void forget(ConsumerRuntime consumer) {
        handOut.forget(consumer);
        progress.forget(consumer);
    }

    /** What there is to do after the tasks of a turn. */
    void endTurn() {
        if (!leading) {
            return;
        }
        handOut.run();
        if (progress.isDue() || !batcher.isEmpty()) {
            progress.log(writable);
        }
        batcher.pump();
    }

    // --- what everybody needs -------------------------------------------------------------------------------------

    /** The group's name, as the API shows it. */
    public String group() {
        return group;
    }

    /** The group's name in the metadata. */
    String assignedGroup() {
        return group.equals(Host.SOLO) ? Host.SOLO + ":" + host.options().serverName() : group;
    }

    /** Whether other nodes have the same log. */
    public boolean replicated() {
        return replicated;
    }

    /** When the present leader was first heard of here, nanoseconds since the epoch; 0 when there is none. */
    public long leaderSince() {
        return leaderSince;
    }

    public ReplicatedLog log() {
        return log;
    }

    public Host host() {
        return host;
    }

    public GroupLoop loop() {
        return host.loop();
    }

    public JetStreamOptions options() {
        return host.options();
    }

    public StreamSet streams() {
        return streams;
    }

    /** The streams at work here while this node leads. */
    public List<StreamRuntime> led() {
        return new ArrayList<>(led.values());
    }

    /** The stream with this id at work here, or null. */
    StreamRuntime led(long id) {
        return led.get(id);
    }

    /** For names and samples; nothing that is in the log depends on it. */
    public Random random() {
        return host.random();
    }

    /** Whether nothing waits for the log. */
    public boolean idle() {
        return batcher.idle() && progress.isEmpty() && handOut.isEmpty() && repairs.idle();
    }
}
