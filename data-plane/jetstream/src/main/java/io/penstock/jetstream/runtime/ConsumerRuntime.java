package io.penstock.jetstream.runtime;

import io.penstock.jetstream.state.ByteWriter;
import io.penstock.jetstream.state.ConsumerOps;
import io.penstock.jetstream.state.ConsumerState;
import io.penstock.jetstream.state.Headers;
import io.penstock.jetstream.state.PendingSet;
import io.penstock.jetstream.state.RecordType;
import io.penstock.jetstream.state.StreamMachine;
import io.penstock.jetstream.state.StreamSet;
import io.penstock.protocol.Subjects;
import io.penstock.protocol.jetstream.AckPolicy;
import io.penstock.protocol.jetstream.ConsumerConfig;
import io.penstock.protocol.jetstream.GoTime;
import io.penstock.storage.StoredMessage;
import java.util.ArrayList;
import java.util.List;

/**
 * One consumer on the leader: hands messages out and takes acknowledgements in. Works on a copy of the consumer's state
 * that runs ahead of the log; what it does to the copy it writes into {@link ConsumerOps}, which the log carries later.
 * Owned by the loop.
 */
public final class ConsumerRuntime {
    /** Messages handed out in one turn, so that one consumer does not hold up the others. */
    private static final int PER_TURN = 256;

    private static final long OPS_BYTES = 32 << 10;

    private final Engine engine;
    private final StreamRuntime stream;
    private final AccountRuntime account;
    private final ConsumerOps ops = new ConsumerOps();
    private final RedeliveryQueue redeliveries = new RedeliveryQueue();
    private final String subjectNames;

    private ConsumerState live;

    /** Whether the machine keeps track of progress; a consumer in memory has only this runtime. */
    private final boolean tracked;

    /** Exactly one of these two is set while the consumer is started. */
    private PullQueue pulls;

    private PushDelivery push;
    private boolean started;

    /** Acknowledgements to answer once the progress of now is in the log. */
    private List<String> ackReplies = new ArrayList<>();

    private final PendingCount undelivered;

    private final ConsumerTimers timers;
    private long lastActive;

    private final ReplayPace pace = new ReplayPace();

    ConsumerRuntime(Engine engine, StreamRuntime stream, ConsumerState committed) {
        this.engine = engine;
        this.stream = stream;
        this.account = stream.account();
        this.live = ahead(engine, committed);
        this.undelivered = new PendingCount(stream.machine().store());
        this.timers = new ConsumerTimers(this, engine.loop());
        this.tracked = stream.machine().tracks(committed);
        this.subjectNames =
                Subjects.fromUtf8(stream.machine().config().name()) + "." + Subjects.fromUtf8(committed.name());
    }

    // --- life -----------------------------------------------------------------------------------------------------

    void start() {
        if (started) {
            return;
        }
        started = true;
        lastActive = engine.loop().steady();
        pace.begin(config().replayPolicy(), stream.machine().store().state().lastSequence());
        if (config().deliverSubject().isEmpty()) {
            pulls = new PullQueue(this, account, engine.loop());
        } else {
            push = new PushDelivery(this, engine, account);
            push.start();
        }
        timers.start();
        wake();
    }

    void stop(String reason) {
        if (!started) {
            return;
        }
        started = false;
        if (pulls != null) {
            pulls.close(reason);
            pulls = null;
        }
        if (push != null) {
            push.stop();
            push = null;
        }
        timers.stop();
        engine.forget(this);
    }

    /** The configuration changed. */
    void reconfigured(ConsumerConfig next) {
        ConsumerConfig before = live.config();
        live.configure(next);
        undelivered.forget();
        if (!started) {
            return;
        }
        if (push != null && !before.deliverSubject().equals(next.deliverSubject())) {
            push.stop();
            push = new PushDelivery(this, engine, account);
            push.start();
        }
        timers.start();
        wake();
    }

    /**
     * A copy that may run ahead of the log. Its deadlines are by this node's steady clock: a wall clock set wrong for a
     * moment must not hold up redeliveries once it is right again.
     */
    private static ConsumerState ahead(Engine engine, ConsumerState committed) {
        ConsumerState copy = committed.copy();
        copy.pending().shiftDeadlines(engine.loop().steady() - engine.logTime());
        return copy;
    }

    /** The consumer was set back. */
    void reset(ConsumerState committed) {
        live = ahead(engine, committed);
        redeliveries.clear();
        ops.take();
        undelivered.forget();
        wake();
    }

    /** Goes back to what the log has: what ran ahead of it did not get there. */
    void resync(ConsumerState committed) {
        reset(committed);
        ackReplies.clear();
        timers.rescan();
    }

    /** The stream, which rested, goes on. */
    void resume() {
        if (started) {
            timers.start();
            wake();
        }
    }

    // --- the stream tells -------------------------------------------------------------------------------------

    boolean wantsSubject(long sequence) {
        return sequence > live.deliveredStream() && !live.filter().isAll() && undelivered.known();
    }

    void stored(long sequence, String subject) {
        if (live.filter().matches(subject)) {
            undelivered.stored(live, sequence);
            wake();
        }
    }

    void removed(long sequence, String subject) {
        if (sequence > live.deliveredStream()) {
            undelivered.removed(live, subject);
        } else {
            PendingSet.Entry entry = live.pending().get(sequence);
            if (entry != null) {
                terminate(entry, "Unacknowledged message was deleted");
            }
        }
    }

    void purged() {
        undelivered.forget();
        List<PendingSet.Entry> lost = new ArrayList<>();
        for (PendingSet.Entry e = live.pending().first(); e != null; e = e.next()) {
            if (stream.machine().store().load(e.streamSequence()) == null) {
                lost.add(e);
            }
        }
        lost.forEach(e -> terminate(e, "Unacknowledged message was deleted"));
        wake();
    }

    // --- handing out ------------------------------------------------------------------------------------------

    /** Lets the consumer look for something to hand out before the turn ends. */
    void wake() {
        if (started) {
            engine.ready(this);
        }
    }

    void pump() {
        for (int i = 0; i < PER_TURN; i++) {
            if (!started || stream.held() || paused() || !hasReceiver()) {
                return;
            }
            PendingSet.Entry again = nextRedelivery();
            StoredMessage message =
                    again == null ? nextNew() : stream.machine().store().load(again.streamSequence());
            if (message == null) {
                if (pulls != null && !stalled()) {
                    pulls.atEnd();
                }
                return;
            }
            if (!send(message, again)) {
                return;
            }
        }
        wake();
    }

    private boolean hasReceiver() {
        return pulls != null ? !pulls.isEmpty() : push.open(engine.loop().steady());
    }

    /** The next message to hand out again: pending, held, and not delivered too often. */
    private PendingSet.Entry nextRedelivery() {
        if (redeliveries.isEmpty()) {
            return null;
        }
        for (PendingSet.Entry e = redeliveries.peek(live.pending()); e != null; e = redeliveries.peek(live.pending())) {
            if (exhausted(e)) {
                redeliveries.remove(e);
                giveUp(e);
            } else if (stream.machine().store().load(e.streamSequence()) == null) {
                redeliveries.remove(e);
                terminate(e, "Message deleted by stream limits");
            } else {
                return e;
            }
        }
        return null;
    }

    private StoredMessage nextNew() {
        if (stalled() || pace.waits(engine.loop().steady())) {
            return null;
        }
        while (live.inInitial()) {
            long sequence = live.nextInitial();
            StoredMessage message = stream.machine().store().load(sequence);
            if (message != null) {
                return message;
            }
            long distance = sequence - live.deliveredStream();
            live.skipTo(sequence);
            note(() -> ops.skip(distance));
        }
        StoredMessage message = stream.machine().store().next(live.filter(), live.nextSequence());
        return message == null || waitForReplay(message) ? null : message;
    }

    private boolean stalled() {
        return config().ackPolicy() != AckPolicy.NONE
                && config().maxAckPending() > 0
                && live.pending().size() >= config().maxAckPending();
    }

    private boolean waitForReplay(StoredMessage message) {
        long delay = pace.delay(message, engine.loop().steady());
        if (delay > 0) {
            engine.loop().schedule(delay, this::wake);
        }
        return delay > 0;
    }

    private boolean send(StoredMessage message, PendingSet.Entry again) {
        int deliveries = again == null ? 1 : again.deliveries() + 1;
        long pending = Math.max(0, again == null ? numPending() - 1 : numPending());
        Outgoing out = Outgoing.of(
                message, subjectNames, deliveries, live.deliveredConsumer() + 1, pending, config().headersOnly());
        long size = out.size();
        long now = engine.loop().steady();
        if (push != null) {
            if (!out.deliver(account, push.subject())) {
                push.lostInterest();
                return false;
            }
            delivered(message, again, now);
            push.sent(size, now);
            return true;
        }
        for (PullWaiter waiter = pulls.next(size, now); waiter != null; waiter = pulls.next(size, now)) {
            if (out.deliver(account, waiter.reply())) {
                delivered(message, again, now);
                pulls.sent(waiter, size, now);
                return true;
            }
            pulls.gone(waiter);
        }
        return false;
    }

    private void delivered(StoredMessage message, PendingSet.Entry again, long now) {
        long sequence = message.sequence();
        if (again != null) {
            redeliveries.remove(again);
            long deadline = now + StreamMachine.consumerWait(live, again.deliveries() + 1);
            live.redeliver(sequence, engine.loop().now(), deadline);
            note(() -> ops.redeliver(sequence));
            timers.watch(deadline);
            return;
        }
        long distance = sequence - live.deliveredStream();
        long deadline = now + StreamMachine.consumerWait(live, 1);
        live.deliver(sequence, engine.loop().now(), deadline);
        note(() -> ops.deliver(distance));
        undelivered.delivered();
        if (config().ackPolicy() != AckPolicy.NONE) {
            timers.watch(deadline);
        }
        pace.sent(message);
    }

    /** A status message that shows the receiver how far the consumer has come. */
    byte[] idleHeartbeat(String more) {
        return Headers.status(
                "100 Idle Heartbeat",
                "Nats-Last-Consumer: " + live.deliveredConsumer() + "\r\nNats-Last-Stream: " + live.deliveredStream()
                        + "\r\n" + more);
    }

    // --- acknowledgements -------------------------------------------------------------------------------------

    /** Takes an acknowledgement in. */
    void acknowledge(AckSubject ack, String reply, byte[] body) {
        if (!started || stream.held()) {
            return;
        }
        lastActive = engine.loop().steady();
        if (config().ackPolicy() != AckPolicy.NONE && ack.streamSequence() > live.deliveredStream()) {
            // Delivered by a life of this server that did not get to write it down: it will be delivered again.
            // An answer would promise that it is not.
            return;
        }
        AckBody kind = AckBody.parse(body);
        switch (kind.kind()) {
            case ACK, NEXT -> ack(ack);
            case NAK -> nak(ack, kind);
            case PROGRESS -> inProgress(ack);
            case TERM -> term(ack, kind.argument());
            case UNKNOWN -> {}
        }
        if (reply == null) {
            return;
        }
        if (kind.kind() == AckBody.Kind.NEXT) {
            pull(reply, kind.rest());
        } else if (!tracked) {
            account.send(reply, null, Headers.NONE, Headers.NONE);
        } else {
            // The answer promises that the acknowledgement outlives a crash, so it waits for the log.
            ackReplies.add(reply);
            engine.progress(this, true);
        }
    }

    private void ack(AckSubject ack) {
        long sequence = ack.streamSequence();
        if (config().ackPolicy() == AckPolicy.NONE) {
            return;
        }
        PendingSet.Entry entry = live.pending().get(sequence);
        if (entry != null) {
            AckSampler.report(engine, account, streamName(), live, entry);
        }
        long now = engine.loop().now();
        if (config().ackPolicy() == AckPolicy.ALL) {
            live.ackAll(sequence, now, s -> {});
            note(() -> ops.ackAll(sequence));
        } else if (live.ack(sequence, now)) {
            note(() -> ops.ack(sequence));
        } else {
            return;
        }
        wake();
    }

    private void nak(AckSubject ack, AckBody body) {
        PendingSet.Entry entry = live.pending().get(ack.streamSequence());
        if (entry == null) {
            return;
        }
        account.advisories()
                .naked(streamName(), name(), ack.consumerSequence(), ack.streamSequence(), ack.deliveries());
        if (body.delayNanos() > 0) {
            entry.queued(false);
            defer(entry, body.delayNanos());
        } else {
            redeliveries.add(entry);
            // A new leader is to know that it is due.
            long sequence = entry.streamSequence();
            note(() -> ops.defer(sequence, 0));
        }
        wake();
    }

    private void defer(PendingSet.Entry entry, long nanos) {
        long sequence = entry.streamSequence();
        long deadline = engine.loop().steady() + nanos;
        live.defer(sequence, deadline);
        note(() -> ops.defer(sequence, nanos));
        timers.watch(deadline);
    }

    private void inProgress(AckSubject ack) {
        PendingSet.Entry entry = live.pending().get(ack.streamSequence());
        if (entry != null && !entry.queued()) {
            defer(entry, StreamMachine.consumerWait(live, entry.deliveries()));
        }
    }

    private void term(AckSubject ack, String reason) {
        PendingSet.Entry entry = live.pending().get(ack.streamSequence());
        if (entry != null) {
            terminate(entry, reason);
            wake();
        }
    }

    private void terminate(PendingSet.Entry entry, String reason) {
        long sequence = entry.streamSequence();
        live.ack(sequence, engine.loop().now());
        note(() -> ops.ack(sequence));
        account.advisories()
                .terminated(streamName(), name(), entry.consumerSequence(), sequence, entry.deliveries(), reason);
        wake();
    }

    /** Whether a message was delivered as often as allowed. */
    boolean exhausted(PendingSet.Entry entry) {
        return config().maxDeliver() > 0 && entry.deliveries() >= config().maxDeliver();
    }

    private void giveUp(PendingSet.Entry entry) {
        long sequence = entry.streamSequence();
        live.exhaust(sequence);
        note(() -> ops.exhaust(sequence));
        account.advisories().maxDeliveries(streamName(), name(), sequence, entry.deliveries());
    }

    // --- progress ---------------------------------------------------------------------------------------------

    private void note(Runnable write) {
        if (tracked) {
            write.run();
            engine.progress(this, ops.length() > OPS_BYTES);
        }
    }

    void logProgress() {
        if (ops.isEmpty() && ackReplies.isEmpty()) {
            return;
        }
        List<String> replies = ackReplies;
        ackReplies = new ArrayList<>();
        stream.progress(this, ops.take(), result -> {
            if (!(result instanceof StreamSet.Refused)) {
                replies.forEach(reply -> account.send(reply, null, Headers.NONE, Headers.NONE));
            }
        });
    }

    // --- time -------------------------------------------------------------------------------------------------

    /** The delivery was not acknowledged in time. */
    void overdue(PendingSet.Entry entry) {
        if (exhausted(entry)) {
            giveUp(entry);
        } else {
            redeliveries.add(entry);
        }
    }

    public boolean paused() {
        return pauseRemaining() > 0;
    }

    /** Nanoseconds until deliveries go on, 0 when they do. */
    public long pauseRemaining() {
        if (config().pauseUntil() == null) {
            return 0;
        }
        long until = GoTime.nanos(config().pauseUntil());
        long now = engine.loop().now();
        return until <= now ? 0 : until - now;
    }

    void pauseEnded() {
        if (!paused() && config().pauseUntil() != null) {
            account.advisories().paused(streamName(), name(), false, GoTime.format(config().pauseUntil()));
        }
        wake();
    }

    /** The receiver of a push consumer went away. */
    void inactive() {
        timers.watchActivity();
    }

    /** When the consumer was last in use: now, or the time at which the last use ended. */
    long activeUntil(long now) {
        if (push != null) {
            return push.active() ? now : push.inactiveSince();
        }
        pulls.dropDead(now);
        return pulls.isEmpty() ? Math.max(lastActive, pulls.lastActive()) : now;
    }

    /** Nobody used the consumer for longer than it allows. */
    void abandoned() {
        byte[] body = new ByteWriter(32).text(name()).toBytes();
        engine.propose(RecordType.CONSUMER_DELETE, stream.id(), body, result -> {
            if (Boolean.TRUE.equals(result)) {
                account.advisories().consumer("DELETED", streamName(), name(), "delete");
            } else {
                timers.watchActivity();
            }
        });
    }

    // --- requests -------------------------------------------------------------------------------------------------

    /** Takes a pull request in. */
    public void pull(String reply, byte[] body) {
        lastActive = engine.loop().steady();
        if (!config().deliverSubject().isEmpty()) {
            account.send(reply, null, Headers.status("409 Consumer is push based", ""), Headers.NONE);
        } else if (pulls != null) {
            pulls.request(reply, body);
        }
    }

    void answerFlowControl(String subject) {
        if (push != null) {
            push.answered(subject);
        }
    }

    boolean sure() {
        return engine.sure();
    }

    /** What could be handed out now: new messages and redeliveries. */
    long available() {
        return numPending() + redeliveries.size(live.pending());
    }

    /** Messages that match and are not delivered yet. */
    public long numPending() {
        return undelivered.of(live);
    }

    /** Requests that wait. */
    public int numWaiting() {
        if (pulls == null) {
            return 0;
        }
        pulls.dropDead(engine.loop().steady());
        return pulls.size();
    }

    /** Whether somebody listens to a push consumer. */
    public boolean pushBound() {
        return push != null && push.active();
    }

    /** The state that runs ahead of the log; to be read only. */
    public ConsumerState live() {
        return live;
    }

    public ConsumerConfig config() {
        return live.config();
    }

    public String name() {
        return live.name();
    }

    private String streamName() {
        return stream.machine().config().name();
    }

    /** Stream and consumer as tokens of a subject. */
    String subjectNames() {
        return subjectNames;
    }
}
