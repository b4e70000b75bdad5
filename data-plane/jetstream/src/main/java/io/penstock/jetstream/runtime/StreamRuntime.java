package io.penstock.jetstream.runtime;

import io.penstock.broker.internal.InboundMessage;
import io.penstock.broker.internal.InternalClient.InternalHandler;
import io.penstock.jetstream.state.BatchRecord;
import io.penstock.jetstream.state.BatchResult;
import io.penstock.jetstream.state.ByteReader;
import io.penstock.jetstream.state.ByteWriter;
import io.penstock.jetstream.state.ConsumerState;
import io.penstock.jetstream.state.Headers;
import io.penstock.jetstream.state.Phase;
import io.penstock.jetstream.state.PublishResult;
import io.penstock.jetstream.state.RecordType;
import io.penstock.jetstream.state.StreamEvents;
import io.penstock.jetstream.state.StreamMachine;
import io.penstock.protocol.Subjects;
import io.penstock.protocol.jetstream.ApiError;
import io.penstock.protocol.jetstream.ConsumerConfig;
import io.penstock.protocol.jetstream.JsError;
import io.penstock.protocol.jetstream.StreamConfig;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * One stream on the leader: takes messages in, tells publishers, wakes consumers, lets messages expire. Owned by the
 * loop, but for {@link #receive}.
 */
public final class StreamRuntime implements StreamEvents {
    private static final byte[] TOO_MANY = Headers.status("429 Too Many Requests", "");

    private static final byte[] NOT_TAKEN = Headers.status("503", "");

    private final Engine engine;
    private final AccountRuntime account;
    private final StreamMachine machine;
    private final TreeMap<String, ConsumerRuntime> consumers = new TreeMap<>();
    private final Interest interest;
    private final Ingest ingest;
    private final PubAcks pubAcks;
    private final PublishResult direct = new PublishResult();
    private final Republisher republisher;
    private final OpenBatches batches;
    private final long since;

    private boolean serving;
    private boolean gone;

    /** Whether somebody else leads. */
    private boolean left;

    /** Whether the stream is on its way to another group: nothing is handed out and publishes wait. */
    private boolean held;

    /** Publishes that wait for the stream to arrive, or to stay after all. */
    private final List<Incoming> parked = new ArrayList<>();

    /** Takes publishes to the group that has the stream by now; null while it is this one. */
    private HandOver handOver;

    /** Whether the other group may have begun to hear publishes. */
    private boolean overlaps;

    /** What the group before may have heard as well; null when there is no such group. */
    private Arrival arrival;

    private final ExpiryTimer expiry;
    private long lastDirectTime;

    /** Bytes the account's ledger knows of. */
    private long settledBytes;

    private int settledReplicas;

    private boolean unsettled;

    StreamRuntime(Engine engine, AccountRuntime account, StreamMachine machine) {
        this.engine = engine;
        this.account = account;
        this.machine = machine;
        this.since = engine.loop().steady();
        this.interest = new Interest(account);
        this.pubAcks = new PubAcks(machine.config().name(), engine.options().domain());
        this.ingest = new Ingest(
                engine.options().ingestMessages(),
                engine.options().ingestBytes(),
                account.ledger().waiting(machine.config().storage()));
        this.republisher = new Republisher(account, machine);
        this.batches = new OpenBatches(this, engine.loop(), engine.options().batches());
        this.expiry = new ExpiryTimer(engine, machine);
        held = machine.phase() == Phase.FENCED;
        machine.listen(this);
        changed();
        machine.consumers().forEach(c -> consumers.put(c.name(), new ConsumerRuntime(engine, this, c)));
    }

    // --- bytes in use -----------------------------------------------------------------------------------------

    private void changed() {
        if (!unsettled) {
            unsettled = true;
            account.ledger().changed(this);
        }
    }

    /** Tells what came or went since the last time, in bytes. */
    void settle(Ledger ledger) {
        unsettled = false;
        StreamConfig config = machine.config();
        if (config.numReplicas() != settledReplicas) {
            ledger.add(config.storage(), settledReplicas, -settledBytes);
            settledReplicas = config.numReplicas();
            settledBytes = 0;
        }
        long bytes = gone || handOver != null ? 0 : machine.store().state().bytes();
        ledger.add(config.storage(), settledReplicas, bytes - settledBytes);
        settledBytes = bytes;
    }

    // --- life -------------------------------------------------------------------------------------------------

    /** Subscribes and lets the consumers work. */
    void serve() {
        if (serving) {
            return;
        }
        serving = true;
        subscribe();
        consumers.values().forEach(ConsumerRuntime::start);
        expiry.start();
    }

    private void subscribe() {
        Map<String, InternalHandler> wanted = publishers(machine.config().subjects());
        if (account.host().clustered()) {
            // On a node alone the account hears these for all its streams.
            String token = Subjects.fromUtf8(name());
            wanted.put("$JS.API.CONSUMER.MSG.NEXT." + token + ".*", account::request);
            wanted.put("$JS.ACK." + token + ".>", account::ack);
            wanted.put("$JS.FC." + token + ".>", account::flowControl);
        }
        interest.only(wanted);
    }

    private Map<String, InternalHandler> publishers(List<String> subjects) {
        Map<String, InternalHandler> wanted = new TreeMap<>();
        subjects.forEach(s -> wanted.put(Subjects.fromUtf8(s), this::receive));
        return wanted;
    }

    /** The account lost its right to JetStream: the stream rests. */
    void pause() {
        serving = false;
        interest.none();
        consumers.values().forEach(c -> c.stop("Consumer Deleted"));
        batches.clear();
        expiry.stop();
    }

    /** Another node leads now. */
    void follow() {
        left = true;
        gone = true;
        changed();
        stopServing("Leadership Change");
        machine.listen(StreamEvents.NONE);
        endArrival();
        parked.forEach(Incoming::drop);
        parked.clear();
    }

    void resync() {
        for (ConsumerState committed : machine.consumers()) {
            ConsumerRuntime consumer = consumers.get(committed.name());
            if (consumer != null && machine.tracks(committed)) {
                consumer.resync(committed);
            }
        }
        expiry.expired();
    }

    void shutdown() {
        stopServing("Server Shutdown");
    }

    private void stopServing(String reason) {
        serving = false;
        interest.none();
        consumers.values().forEach(c -> c.stop(reason));
        batches.clear();
        expiry.stop();
    }

    void deleted() {
        gone = true;
        changed();
        stopServing(held ? "Leadership Change" : "Consumer Deleted");
        machine.listen(StreamEvents.NONE);
        consumers.clear();
        endArrival();
        parked.forEach(Incoming::missed);
        parked.clear();
        if (handOver != null) {
            handOver.gone();
        }
    }

    // --- moving ---------------------------------------------------------------------------------------------------

    /** Lets the stream rest, so that the other group can take all of it; completes once that is in the log. */
    void fence(long version, CompletableFuture<byte[]> done) {
        held = true;
        consumers.values().forEach(ConsumerRuntime::logProgress);
        engine.propose(
                RecordType.FENCE,
                machine.id(),
                new ByteWriter(10).varint(version).toBytes(),
                new Waiter() {
                    @Override
                    public void applied(Object result) {
                        done.complete(Headers.NONE);
                        reconsider();
                    }

                    @Override
                    public void unknown(Throwable cause) {
                        done.completeExceptionally(cause);
                    }
                });
    }

    /** The move may have been called off while the fence was on its way into the log. */
    private void reconsider() {
        StreamAssignment now = account.host().assignments().get(account.name(), name());
        if (!gone && now != null && now.generation() == machine.generation()) {
            engine.assigned(now);
        }
    }

    /** A publish came while the stream rests. */
    void park(Incoming command) {
        if (left) {
            command.drop();
        } else if (handOver != null) {
            handOver.take(command);
        } else if (gone) {
            command.missed();
        } else {
            parked.add(command);
        }
    }

    boolean held() {
        return held;
    }

    /** The other group is about to have all, and may hear publishes from then on. */
    void overlaps() {
        overlaps = true;
    }

    /**
     * Another group has the stream: only publishes are heard here any more, for it.
     *
     * @param subjects what the stream takes by now
     */
    void leave(HandOver to, List<String> subjects) {
        handOver = to;
        serving = false;
        account.letGo(this);
        changed();
        consumers.values().forEach(c -> c.stop("Leadership Change"));
        batches.clear();
        expiry.stop();
        endArrival();
        interest.only(publishers(subjects));
        List<Incoming> waiting = List.copyOf(parked);
        parked.clear();
        waiting.forEach(to::take);
    }

    /** The stream is in this group from now on, and was in another. */
    void arrived() {
        if (arrival == null) {
            arrival = new Arrival(this, this::endArrival);
        }
    }

    private void endArrival() {
        if (arrival != null) {
            arrival.close();
            arrival = null;
        }
    }

    /** The leader of the group before heard publishes. */
    void passedOn(ByteReader messages) {
        arrived();
        arrival.passedOn(messages);
    }

    void takePassedOn(PublishCommand command) {
        command.met();
        if (!ingest.admit(command.cost())) {
            overloaded(command.reply());
        } else if (Interest.covers(machine.config().subjects(), command.subject())) {
            publish(command);
        } else {
            // The group before had yet to learn that the stream takes other subjects by now.
            command.missed();
        }
    }

    @Override
    public void phaseChanged() {
        boolean before = held;
        held = machine.phase() == Phase.FENCED;
        if (!before || held) {
            return;
        }
        overlaps = false;
        resync();
        consumers.values().forEach(ConsumerRuntime::resume);
        List<Incoming> waiting = List.copyOf(parked);
        parked.clear();
        waiting.forEach(Incoming::run);
    }

    // --- publishing -------------------------------------------------------------------------------------------

    /** Takes a message; on the publisher's event loop. */
    private void receive(InboundMessage message) {
        PublishCommand command = PublishCommand.of(this, message);
        if (ingest.admit(command.cost())) {
            engine.loop().execute(command);
        } else {
            String reply = message.reply();
            engine.loop().execute(() -> overloaded(reply));
        }
    }

    private void overloaded(String reply) {
        if (reply != null && !machine.config().noAck()) {
            account.send(reply, null, TOO_MANY, pubAcks.refused(JsError.STREAM_TOO_MANY_REQUESTS.of()));
        }
    }

    void publish(PublishCommand command) {
        if (left) {
            // Somebody else leads: the publisher hears from them, or nothing.
            command.drop();
            return;
        }
        if (command.met() && !takes(command)) {
            command.drop();
            return;
        }
        if (held) {
            park(command);
            return;
        }
        if (command.batch() != null) {
            batches.take(command);
            return;
        }
        ApiError refused = Resources.checkPublish(this, command.cost());
        if (refused != null) {
            command.drop();
            refuse(command.reply(), refused);
            return;
        }
        if (!machine.isVolatile()) {
            engine.propose(command);
            return;
        }
        machine.publish(
                nextDirectTime(),
                command.subject(),
                command.record(),
                command.headersOffset(),
                command.headersLength(),
                command.payloadOffset(),
                command.payloadLength(),
                direct);
        command.applied(direct);
    }

    /** Whether a message is to be taken that was published: it was not passed on by the group before already. */
    private boolean takes(PublishCommand command) {
        if (!overlaps) {
            command.cameEarly();
        }
        return arrival == null || command.batch() != null || arrival.takes(command);
    }

    private long nextDirectTime() {
        lastDirectTime = Math.max(engine.loop().now(), lastDirectTime + 1);
        return lastDirectTime;
    }

    /** Takes a batch that is whole. */
    void commit(BatchCommit batch) {
        if (left) {
            batch.drop();
        } else if (held) {
            park(batch);
        } else if (machine.isVolatile()) {
            byte[] record = batch.record();
            batch.applied(machine.publishBatch(nextDirectTime(), BatchRecord.of(record, record.length)));
        } else {
            engine.propose(batch);
        }
    }

    void committed(BatchCommit batch, BatchResult result) {
        if (result.error() != null) {
            refuse(batch.reply(), result.error());
            return;
        }
        if (batch.reply() != null && !machine.config().noAck()) {
            byte[] ack = pubAcks.committed(result.sequence(), batch.id(), batch.count());
            account.send(batch.reply(), null, Headers.NONE, ack);
        }
        if (machine.config().republish() != null) {
            republisher.republish(batch, result);
        }
    }

    void published(PublishCommand command, PublishResult result) {
        if (result.error != null) {
            refuse(command.reply(), result.error);
            return;
        }
        if (command.reply() != null && !machine.config().noAck()) {
            account.send(command.reply(), null, Headers.NONE, pubAcks.accepted(result.sequence, result.duplicate));
        }
        if (result.stored && machine.config().republish() != null) {
            republisher.republish(command, result);
        }
    }

    /** What the publisher would have been told had nobody been there: it may try again at once. */
    void notTaken(String reply) {
        if (reply != null && !machine.config().noAck()) {
            account.send(reply, null, NOT_TAKEN, Headers.NONE);
        }
    }

    void refuse(String reply, ApiError error) {
        if (reply != null && !machine.config().noAck()) {
            account.send(reply, null, Headers.NONE, pubAcks.refused(error));
        }
    }

    // --- events of the machine ------------------------------------------------------------------------------------

    @Override
    public boolean wantsSubject(long sequence) {
        for (ConsumerRuntime consumer : consumers.values()) {
            if (consumer.wantsSubject(sequence)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void stored(long sequence, String subject) {
        changed();
        for (ConsumerRuntime consumer : consumers.values()) {
            consumer.stored(sequence, subject);
        }
        expiry.stored();
    }

    @Override
    public void removed(long sequence, String subject) {
        changed();
        for (ConsumerRuntime consumer : consumers.values()) {
            consumer.removed(sequence, subject);
        }
    }

    @Override
    public void purged() {
        changed();
        consumers.values().forEach(ConsumerRuntime::purged);
    }

    @Override
    public void consumerAdded(ConsumerState state) {
        ConsumerRuntime consumer = new ConsumerRuntime(engine, this, state);
        consumers.put(state.name(), consumer);
        if (serving) {
            consumer.start();
            account.host().news().leads(this, state.name());
        }
    }

    @Override
    public void consumerChanged(ConsumerState state, ConsumerConfig before) {
        ConsumerRuntime consumer = consumers.get(state.name());
        if (consumer != null) {
            consumer.reconfigured(state.config());
        }
    }

    @Override
    public void consumerReset(ConsumerState state) {
        ConsumerRuntime consumer = consumers.get(state.name());
        if (consumer != null) {
            consumer.reset(state);
        }
    }

    @Override
    public void consumerRemoved(ConsumerState state) {
        ConsumerRuntime consumer = consumers.remove(state.name());
        if (consumer != null) {
            consumer.stop("Consumer Deleted");
        }
    }

    @Override
    public void reconfigured() {
        changed();
        republisher.configure();
        if (!machine.config().allowAtomic()) {
            batches.clear();
        }
        engine.reconfigured(machine);
        if (serving) {
            subscribe();
            expiry.stop();
            expiry.start();
        }
    }

    // --- consumers ------------------------------------------------------------------------------------------------

    /** Puts a consumer's progress where it belongs. */
    void progress(ConsumerRuntime consumer, byte[] ops, Waiter waiter) {
        ByteWriter body = new ByteWriter(ops.length + 15);
        body.varint(consumer.live().id()).varint(consumer.live().epoch()).raw(ops, 0, ops.length);
        if (machine.isVolatile()) {
            machine.consumerOps(new ByteReader(body.toBytes()), engine.loop().now());
            waiter.applied(true);
        } else {
            engine.propose(RecordType.CONSUMER_OPS, machine.id(), body.toBytes(), waiter);
        }
    }

    public ConsumerRuntime consumer(String name) {
        return consumers.get(name);
    }

    public Collection<ConsumerRuntime> consumers() {
        return new ArrayList<>(consumers.values());
    }

    public String name() {
        return machine.config().name();
    }

    /** When this node began to lead it, by its steady clock. */
    public long since() {
        return since;
    }

    public StreamMachine machine() {
        return machine;
    }

    public AccountRuntime account() {
        return account;
    }

    public Engine engine() {
        return engine;
    }

    /** Messages that wait to be stored. */
    public long waiting() {
        return ingest.messages();
    }

    Ingest ingest() {
        return ingest;
    }

    public long id() {
        return machine.id();
    }
}
