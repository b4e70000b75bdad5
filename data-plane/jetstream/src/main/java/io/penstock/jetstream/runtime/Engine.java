package io.penstock.jetstream.runtime;

import io.penstock.broker.internal.InternalClient;
import io.penstock.broker.internal.JetStreamLimits;
import io.penstock.consensus.GroupLoop;
import io.penstock.consensus.ReplicatedLog;
import io.penstock.jetstream.JetStreamOptions;
import io.penstock.jetstream.state.ByteReader;
import io.penstock.jetstream.state.RecordType;
import io.penstock.jetstream.state.StreamMachine;
import io.penstock.jetstream.state.StreamSet;
import io.penstock.protocol.jetstream.JsError;
import io.penstock.storage.StoreFactory;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Random;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One placement group at work: applies its log to the streams and, as leader, turns what clients send into records.
 *
 * <p>Everything runs on the group's loop. A turn of it ends with {@link #endTurn}: consumers hand out what they can,
 * progress is put into the log, the next entry is proposed, connections are flushed.
 */
public final class Engine implements ReplicatedLog.StateMachine, StreamSet.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(Engine.class);

    /** How long progress nobody waits for may stay out of the log. */
    private static final long LAZY_NANOS = 10_000_000L;

    private final GroupLoop loop;
    private final ReplicatedLog log;
    private final StoreFactory stores;
    private final StreamSet streams;
    private final Batcher batcher;
    private final JetStreamOptions options;
    private final Parts parts;
    private final Random random;
    private final ApiHandler api;
    private final TreeMap<String, AccountRuntime> accounts = new TreeMap<>();

    /** Consumers that may have something to hand out. */
    private final LinkedHashSet<ConsumerRuntime> ready = new LinkedHashSet<>();

    /** Consumers whose progress is not in the log. */
    private final LinkedHashSet<ConsumerRuntime> unlogged = new LinkedHashSet<>();

    private final LinkedHashSet<InternalClient> unflushed = new LinkedHashSet<>();

    /** Changes of stream configurations: one at a time, each checked against the outcome of the one before. */
    private final ArrayDeque<Runnable> configurations = new ArrayDeque<>();

    private final Ledger ledger = new Ledger(null);

    /** Reads whose turn has come. */
    private final ArrayDeque<Runnable> released = new ArrayDeque<>();

    private boolean configuring;
    private boolean turnScheduled;
    private boolean progressUrgent;
    private GroupLoop.Timer lazyTimer;

    /** Whether this node answers for the group; stays so while the log takes nothing for want of disk. */
    private boolean leading;

    /** Whether the log takes entries. */
    private boolean writable;

    private boolean stopped;

    /** Whoever answers the API's requests; given at construction so that this package knows nothing of the API. */
    public interface ApiHandler {
        /** Handles a request; on the loop. */
        void handle(ApiCall call);
    }

    public Engine(
            GroupLoop loop,
            ReplicatedLog log,
            StoreFactory stores,
            JetStreamOptions options,
            Parts parts,
            Random random,
            ApiHandler api) {
        this.loop = loop;
        this.log = log;
        this.stores = stores;
        this.options = options;
        this.parts = parts;
        this.random = random;
        this.api = api;
        this.streams = new StreamSet(stores, this);
        this.batcher = new Batcher(loop, log);
    }

    /** Opens the streams, applies the log again, begins to serve. On the loop. */
    public void start() {
        streams.recover();
        log.start(this, 0);
    }

    /** Stops serving: waiting requests are told, what is gathered goes into the log. On the loop. */
    public void stop() {
        if (stopped) {
            return;
        }
        stopped = true;
        accounts.values().forEach(AccountRuntime::stop);
        logProgress();
        batcher.pump();
        flushClients();
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
            waiter.applied(result);
        } catch (RuntimeException e) {
            LOG.error("answering a record failed", e);
        }
    }

    @Override
    public void applied(long index) {
        runReleased();
        if (leading) {
            endTurn();
        }
    }

    @Override
    public void failed(Object attachment, Throwable cause) {
        LOG.error("log entry has no outcome: {}", cause.getMessage());
        if (attachment instanceof Batcher.Entry entry) {
            batcher.settled();
            entry.waiters().forEach(w -> w.unknown(cause));
            released.addAll(entry.followers());
        }
        batcher.abandon(cause);
        runReleased();
        flushClients();
    }

    @Override
    public void roleChanged(ReplicatedLog.Role role, String leader, long term) {
        writable = role == ReplicatedLog.Role.LEADER;
        switch (role) {
            case LEADER -> {
                if (leading) {
                    // What was on its way into the log is lost; what the log has is what holds.
                    accounts.values().forEach(AccountRuntime::resync);
                } else {
                    lead();
                }
                soon();
            }
            case CANDIDATE -> LOG.warn("the log takes no entries: writes are refused, reads go on");
            case FOLLOWER, LEARNER, STOPPED -> follow();
        }
    }

    private void lead() {
        leading = true;
        stores.quarantineUnknown();
        streams.all().forEach(stream -> account(stream.account()).lead(stream));
        accounts.values().forEach(AccountRuntime::serve);
    }

    private void follow() {
        if (leading) {
            leading = false;
            accounts.values().forEach(AccountRuntime::follow);
            ready.clear();
            unlogged.clear();
        }
    }

    @Override
    public void streamAdded(StreamMachine stream) {
        parts.add(stream);
        if (leading) {
            account(stream.account()).lead(stream);
        }
    }

    @Override
    public void streamRemoved(StreamMachine stream) {
        parts.remove(stream);
        if (leading) {
            account(stream.account()).removed(stream);
        }
    }

    // --- accounts -------------------------------------------------------------------------------------------------

    private AccountRuntime account(String name) {
        return accounts.computeIfAbsent(name, n -> new AccountRuntime(this, n));
    }

    /** An account may use JetStream. On the loop. */
    public void enable(String name, InternalClient client, JetStreamLimits limits) {
        account(name).enable(client, limits);
        soon();
    }

    /** An account may not use JetStream any more. On the loop. */
    public void disable(String name) {
        AccountRuntime account = accounts.get(name);
        if (account != null) {
            account.disable();
        }
    }

    public Collection<AccountRuntime> accounts() {
        return accounts.values();
    }

    // --- proposing ------------------------------------------------------------------------------------------------

    /** Puts a record into the log. */
    public void propose(RecordType type, long stream, byte[] body, Waiter waiter) {
        if (writable) {
            batcher.add(type, stream, body, waiter);
            soon();
        } else {
            waiter.applied(new StreamSet.Refused(JsError.STORAGE_RESOURCES_EXCEEDED.of()));
        }
    }

    void propose(PublishCommand command) {
        if (writable) {
            batcher.add(command.record(), command);
            soon();
        } else {
            command.applied(new StreamSet.Refused(JsError.STORAGE_RESOURCES_EXCEEDED.of()));
        }
    }

    /** Whether this node answers for the group. */
    public boolean leading() {
        return leading && !stopped;
    }

    /** Whether the log takes entries. */
    public boolean writable() {
        return writable;
    }

    /** Runs a change of a stream's configuration once those before it are done; it must call {@link #configured}. */
    public void configure(Runnable change) {
        if (configuring) {
            configurations.add(change);
        } else {
            configuring = true;
            change.run();
        }
    }

    /** The change under way has its outcome. */
    public void configured() {
        Runnable next = configurations.poll();
        configuring = next != null;
        if (next != null) {
            loop.execute(next);
        }
    }

    /**
     * Runs this when everything proposed before it is applied: who publishes without asking for an acknowledgement and
     * then reads finds what was published.
     */
    void afterPending(Runnable action) {
        batcher.afterPending(action);
    }

    private void runReleased() {
        for (Runnable action = released.poll(); action != null; action = released.poll()) {
            action.run();
        }
    }

    // --- turns ----------------------------------------------------------------------------------------------------

    /** Lets the turn end soon: after what is already queued on the loop. */
    public void soon() {
        if (!turnScheduled) {
            turnScheduled = true;
            loop.execute(() -> {
                turnScheduled = false;
                endTurn();
            });
        }
    }

    void ready(ConsumerRuntime consumer) {
        ready.add(consumer);
        soon();
    }

    /** A consumer has progress that is not in the log; {@code urgent} when somebody waits for it to be. */
    void progress(ConsumerRuntime consumer, boolean urgent) {
        unlogged.add(consumer);
        progressUrgent |= urgent;
        if (urgent) {
            soon();
        } else if (lazyTimer == null) {
            lazyTimer = loop.schedule(LAZY_NANOS, () -> {
                lazyTimer = null;
                progressUrgent = true;
                soon();
            });
        }
    }

    void forget(ConsumerRuntime consumer) {
        ready.remove(consumer);
        unlogged.remove(consumer);
    }

    private void endTurn() {
        if (!leading) {
            return;
        }
        handOut();
        if (progressUrgent || !batcher.isEmpty()) {
            logProgress();
        }
        batcher.pump();
        flushClients();
    }

    private void handOut() {
        if (ready.isEmpty()) {
            return;
        }
        ConsumerRuntime[] now = ready.toArray(ConsumerRuntime[]::new);
        ready.clear();
        for (ConsumerRuntime consumer : now) {
            consumer.pump();
        }
    }

    private void logProgress() {
        progressUrgent = false;
        if (unlogged.isEmpty() || !writable) {
            return;
        }
        ConsumerRuntime[] now = unlogged.toArray(ConsumerRuntime[]::new);
        unlogged.clear();
        for (ConsumerRuntime consumer : now) {
            consumer.logProgress();
        }
    }

    /** The client has something to send at the end of the turn. */
    void touched(InternalClient client) {
        unflushed.add(client);
        soon();
    }

    private void flushClients() {
        if (!unflushed.isEmpty()) {
            unflushed.forEach(InternalClient::flush);
            unflushed.clear();
        }
    }

    // --- what everybody needs -------------------------------------------------------------------------------------

    /** Bytes in use by all accounts. */
    Ledger ledger() {
        return ledger;
    }

    public GroupLoop loop() {
        return loop;
    }

    public JetStreamOptions options() {
        return options;
    }

    public StreamSet streams() {
        return streams;
    }

    /** For names and samples; nothing that is in the log depends on it. */
    public Random random() {
        return random;
    }

    ApiHandler api() {
        return api;
    }

    /** Whether nothing waits for the log. */
    public boolean idle() {
        return batcher.idle() && unlogged.isEmpty() && ready.isEmpty();
    }
}
