package io.penstock.jetstream.state;

import io.penstock.consensus.Checkpointed;
import io.penstock.protocol.InvalidTransformException;
import io.penstock.protocol.SubjectFilter;
import io.penstock.protocol.SubjectTransform;
import io.penstock.protocol.Subjects;
import io.penstock.protocol.jetstream.ConsumerAction;
import io.penstock.protocol.jetstream.ConsumerConfig;
import io.penstock.protocol.jetstream.GoTime;
import io.penstock.protocol.jetstream.JetStreamJson;
import io.penstock.protocol.jetstream.RetentionPolicy;
import io.penstock.protocol.jetstream.StorageType;
import io.penstock.protocol.jetstream.StoreCompression;
import io.penstock.protocol.jetstream.StreamConfig;
import io.penstock.storage.StreamState;
import io.penstock.storage.StreamStore;
import java.io.IOException;
import java.util.Collection;
import java.util.function.Supplier;
import java.util.zip.CRC32C;

/**
 * One stream with its consumers: the same records in the same order with the same times give the same state. Nothing
 * here reads a clock, draws a random number or talks to a client.
 *
 * <p>Owned by the group's loop.
 */
public final class StreamMachine implements Checkpointed {
    private static final int FORMAT = 2;

    /** So far a purge may move the next sequence: there is always room for more. */
    private static final long LAST_SKIP = 1L << 62;

    /** What the first release wrote: without generation and version. */
    private static final int FIRST_FORMAT = 1;

    private final long id;
    private final String account;
    private final long created;
    private final StreamStore store;

    /** Where checkpoints go: the store itself, or for a stream in memory one that never holds a message. */
    private final StreamStore checkpoints;

    private final boolean inMemory;

    /** Whether other nodes keep the stream too. */
    private final boolean replicated;

    /** Which entry of the cluster's metadata made the stream, and which one changed it last; 0 on a node alone. */
    private long generation;

    private long version;

    private Phase phase = Phase.SERVING;

    /** The version of the metadata that last fenced the stream: an older one must not let it go on. */
    private long fencedBy;

    /** Comes from every message ever stored, in order: equal on equal replicas. */
    private long rolling;

    private final ExpiryIndex expiry = new ExpiryIndex();
    private final MessageIntake intake;
    private final StreamConsumers consumers = new StreamConsumers(this);

    private StreamConfig config;
    private SubjectTransform transform;
    private boolean changed = true;
    private StreamEvents events = StreamEvents.NONE;
    private String failure;

    /** Set by the checkpointer when a write failed: what was frozen is not on disk. */
    private volatile boolean checkpointFailed;

    /** A new, empty stream, or one whose log is about to be applied from its beginning. */
    public StreamMachine(
            long id,
            String account,
            long created,
            StreamConfig config,
            StreamStore store,
            StreamStore checkpoints,
            boolean replicated) {
        this.id = id;
        this.replicated = replicated;
        this.account = account;
        this.created = created;
        this.store = store;
        this.intake = new MessageIntake(this, store);
        this.checkpoints = checkpoints;
        this.inMemory = store != checkpoints;
        configure(config);
        if (config.firstSeq() > 1 && store.state().lastSequence() == 0) {
            store.skip(config.firstSeq() - 1, created);
        }
    }

    /**
     * The stream as its checkpoint left it.
     *
     * @param file the store that holds the checkpoint
     * @param memory makes the store of messages that are kept in memory; null in a replicated group, where all are kept
     *     in files
     */
    public static StreamMachine recover(long id, String account, StreamStore file, Supplier<StreamStore> memory) {
        ByteReader in = new ByteReader(file.checkpointAttachment());
        int format = in.u8();
        if (format != FORMAT && format != FIRST_FORMAT) {
            throw new IllegalStateException("checkpoint of stream " + id + " has format " + format
                    + ", this version reads format " + FORMAT + "; start the version that wrote it");
        }
        long created = in.varint();
        StreamConfig config = JetStreamJson.readOwn(in.block(), StreamConfig.class);
        boolean inMemory = config.storage() == StorageType.MEMORY && memory != null;
        StreamMachine machine =
                new StreamMachine(id, account, created, config, inMemory ? memory.get() : file, file, memory == null);
        if (format != FIRST_FORMAT) {
            machine.generation = in.varint();
            machine.version = in.varint();
            machine.phase = Phase.of(in.u8());
            machine.fencedBy = in.varint();
            machine.rolling = in.varint();
        }
        machine.decodeState(in, !inMemory);
        machine.changed = false;
        return machine;
    }

    private void decodeState(ByteReader in, boolean withMessages) {
        consumers.decode(in);
        if (withMessages) {
            intake.decode(in);
            expiry.decode(in);
        }
    }

    private byte[] encode() {
        ByteWriter out = new ByteWriter(1024);
        out.u8(FORMAT).varint(created).block(JetStreamJson.write(config));
        out.varint(generation).varint(version).u8(phase.code()).varint(fencedBy).varint(rolling);
        encodeState(out, !isVolatile());
        return out.toBytes();
    }

    private void encodeState(ByteWriter out, boolean withMessages) {
        consumers.encode(out, withMessages);
        if (withMessages) {
            intake.encode(out);
            expiry.encode(out);
        }
    }

    /** Configuration, consumers, message ids and ends of life, for another group. */
    byte[] encodeWhole() {
        ByteWriter out = new ByteWriter(4096).block(JetStreamJson.write(config));
        encodeState(out, true);
        return out.toBytes();
    }

    /** Takes over what {@link #encodeWhole} gave, and is at work from then on. */
    void adopt(ByteReader in) {
        configure(JetStreamJson.readOwn(in.block(), StreamConfig.class));
        consumers.clear();
        decodeState(in, true);
        phase = Phase.SERVING;
        changed = true;
    }

    /** Notes what the headers of a message say that comes from a backup. */
    void restored(long sequence, long timestamp, byte[] headers, long now) {
        intake.restored(sequence, timestamp, headers, now);
    }

    /** Takes a configuration over, and nothing follows from it. */
    void configured(StreamConfig next) {
        configure(next);
    }

    private void configure(StreamConfig next) {
        config = next;
        checkpoints.compress(next.compression() == StoreCompression.S2 && next.storage() == StorageType.FILE);
        transform = null;
        if (next.subjectTransform() != null) {
            try {
                String source = next.subjectTransform().src();
                transform = SubjectTransform.of(
                        source.isEmpty() ? ">" : Subjects.fromUtf8(source),
                        Subjects.fromUtf8(next.subjectTransform().dest()));
            } catch (InvalidTransformException e) {
                throw new IllegalStateException("stream " + next.name() + " has an invalid subject transform", e);
            }
        }
        changed = true;
    }

    // --- messages ---------------------------------------------------------------------------------------------

    /** Takes a message or refuses it; {@code result} says which. */
    public void publish(
            long now,
            String publishedSubject,
            byte[] bytes,
            int headersOffset,
            int headersLength,
            int payloadOffset,
            int payloadLength,
            PublishResult result) {
        intake.publish(
                now, publishedSubject, bytes, headersOffset, headersLength, payloadOffset, payloadLength, result);
    }

    /** Takes all messages of an atomic batch or none; the answer says which, and why. */
    public BatchResult publishBatch(long now, BatchRecord batch) {
        return intake.publishBatch(now, batch);
    }

    void append(long sequence, long now, String subject, MessageBytes message) {
        store.append(
                sequence,
                now,
                subject,
                message.array,
                message.headersOffset,
                message.headersLength,
                message.payloadOffset,
                message.payloadLength);
        if (replicated) {
            long mixed = (rolling * 31 + sequence) * 31 + now;
            mixed = (mixed * 31 + subject.hashCode()) * 31 + message.checksum();
            rolling = mixed & Long.MAX_VALUE;
        }
    }

    /** What the stream comes to, in one number: equal on replicas that have applied the same. */
    long digest() {
        StreamState state = store.state();
        long sum = rolling * 31 + state.messages();
        sum = (sum * 31 + state.bytes()) * 31 + state.firstSequence();
        sum = (sum * 31 + state.lastSequence()) * 31 + state.subjects();
        sum = (sum * 31 + version) * 31 + phase.code();
        ByteWriter progress = new ByteWriter(256);
        for (ConsumerState consumer : consumers.all()) {
            progress.clear();
            consumer.encodeProgress(progress);
            CRC32C crc = new CRC32C();
            crc.update(progress.array(), 0, progress.length());
            sum = (sum * 31 + consumer.name().hashCode()) * 31 + crc.getValue();
        }
        return sum;
    }

    /** Leaves a note that the last message of a subject came to its end. */
    void storeMarker(String subject, long ttl, long now) {
        String lines =
                "Nats-Marker-Reason: MaxAge\r\nNats-TTL: " + GoTime.formatDuration(ttl) + "\r\nNats-Rollup: sub\r\n";
        byte[] block = Headers.of(lines);
        long sequence = store.state().lastSequence() + 1;
        append(sequence, now, subject, new MessageBytes().of(block, 0, block.length, block.length, 0));
        expiry.add(sequence, now + ttl);
        changed = true;
        events.stored(sequence, subject);
    }

    /** Removes one message; answers whether it was held. */
    public boolean remove(long sequence, String subject, boolean erase) {
        String known = subject;
        if (known == null && events.wantsSubject(sequence)) {
            var message = store.load(sequence);
            known = message == null ? null : message.subject();
        }
        if (!store.remove(sequence, erase)) {
            return false;
        }
        expiry.removed(sequence);
        events.removed(sequence, known);
        return true;
    }

    /**
     * Removes messages; see {@link StreamStore#purge}. Answers how many. All below a sequence that is yet to come: the next
     * message gets that sequence, as nats-server has it.
     */
    public long purge(SubjectFilter filter, long belowSequence, long keep) {
        long purged = store.purge(filter, belowSequence, keep);
        long last = store.state().lastSequence();
        boolean skips = filter.isAll() && keep == 0 && belowSequence > last + 1 && belowSequence <= LAST_SKIP;
        if (skips) {
            store.skip(belowSequence - 1, store.state().lastTimestampNanos());
        }
        if (purged > 0 || skips) {
            events.purged();
        }
        return purged;
    }

    /** Removes what has come to its end by {@code now}. */
    public void expire(long now) {
        RetentionRules.expire(this, now);
    }

    /** When the next message ends; {@link Long#MAX_VALUE} when none does. */
    public long nextExpiry() {
        return RetentionRules.nextExpiry(this);
    }

    /** Takes over a configuration that was checked before. */
    public void reconfigure(StreamConfig next) {
        StreamConfig before = config;
        configure(next);
        if (next.maxMsgsPerSubject() > 0
                && (before.maxMsgsPerSubject() <= 0 || next.maxMsgsPerSubject() < before.maxMsgsPerSubject())) {
            RetentionRules.enforcePerSubject(this);
        }
        RetentionRules.enforceLimits(this, null);
        if (next.retention() != before.retention()) {
            RetentionRules.sweepInterest(this);
        }
        events.reconfigured();
    }

    // --- consumers --------------------------------------------------------------------------------------------

    /**
     * Creates or updates a consumer.
     *
     * @throws io.penstock.protocol.jetstream.JsException when the request does not fit what is there; nothing changed
     */
    public ConsumerState putConsumer(
            String name, ConsumerConfig requested, ConsumerAction action, long now, int limit) {
        return consumers.put(name, requested, action, now, limit);
    }

    /** Changes a consumer's configuration without asking the rules: pause, and what the rules have passed. */
    public void setConsumerConfig(ConsumerState consumer, ConsumerConfig next) {
        consumers.configure(consumer, next);
    }

    /** Removes a consumer; answers whether it was there. */
    public boolean removeConsumer(String name) {
        return consumers.remove(name);
    }

    /** Sets a consumer back; answers the first sequence it will deliver, or 0 when there is no such consumer. */
    public long resetConsumer(int consumerId, long sequence) {
        return consumers.reset(consumerId, sequence);
    }

    /** Applies what a consumer delivered and what came back, in its order. */
    public void consumerOps(ByteReader in, long now) {
        consumers.apply(in, now);
    }

    /** How long a delivery may stay unanswered, nanoseconds; {@code deliveries} counts from 1. */
    public static long consumerWait(ConsumerState consumer, int deliveries) {
        ConsumerConfig c = consumer.config();
        if (c.backoff().isEmpty()) {
            return c.ackWait();
        }
        return c.backoff().get(Math.min(deliveries, c.backoff().size()) - 1);
    }

    public ConsumerState consumer(String name) {
        return consumers.get(name);
    }

    /** The consumers by name. */
    public Collection<ConsumerState> consumers() {
        return consumers.all();
    }

    // --- the rest ---------------------------------------------------------------------------------------------

    /** Something that belongs into the next checkpoint has changed. */
    void touched() {
        changed = true;
    }

    /** Who hears of changes. */
    StreamEvents events() {
        return events;
    }

    /** Who hears of changes from now on. */
    public void listen(StreamEvents listener) {
        events = listener;
    }

    public long id() {
        return id;
    }

    public String account() {
        return account;
    }

    /** Nanoseconds since the epoch. */
    public long created() {
        return created;
    }

    /** Notes by which entries of the cluster's metadata the stream was made and last changed. */
    void assigned(long newGeneration, long newVersion) {
        generation = newGeneration;
        version = Math.max(version, newVersion);
        changed = true;
    }

    /** What the stream takes part in. */
    public Phase phase() {
        return phase;
    }

    /** Takes no more changes, because of this version of the metadata. */
    void fence(long by) {
        if (phase != Phase.IMPORTING) {
            fencedBy = Math.max(fencedBy, by);
            phase(Phase.FENCED);
        }
    }

    /** Goes on, if this version of the metadata is newer than the one that fenced the stream. */
    void unfence(long by) {
        if (phase == Phase.FENCED && by > fencedBy) {
            phase(Phase.SERVING);
        }
    }

    void phase(Phase next) {
        phase = next;
        changed = true;
        events.phaseChanged();
    }

    /** Index of the entry of the cluster's metadata that made the stream; 0 when none did. */
    public long generation() {
        return generation;
    }

    /** Index of the entry of the cluster's metadata whose configuration the stream has. */
    public long version() {
        return version;
    }

    public StreamConfig config() {
        return config;
    }

    public StreamStore store() {
        return store;
    }

    /** How subjects change on their way in; null when they do not. */
    SubjectTransform transform() {
        return transform;
    }

    ExpiryIndex expiry() {
        return expiry;
    }

    String lastMessageId() {
        return intake.lastMessageId();
    }

    /** Why the stream takes no more records until the process is started again, or null. */
    public String failure() {
        return failure;
    }

    /** Stops the stream: its store could not follow the log. What the log holds is applied again at the next start. */
    public void fail(String reason) {
        failure = reason;
    }

    /** Removes every trace of the stream from memory and disk. */
    public void delete() {
        store.delete();
        if (isVolatile()) {
            checkpoints.delete();
        }
    }

    /** Closes the stores. */
    public void close() {
        store.close();
        if (isVolatile()) {
            checkpoints.close();
        }
    }

    /** Whether messages are lost with the process, and so are not worth a log. */
    public boolean isVolatile() {
        return inMemory;
    }

    /** Whether a consumer's progress is kept here, and not by the leader alone. */
    public boolean tracks(ConsumerState consumer) {
        return replicated || !consumer.config().memStorage() || config.retention() != RetentionPolicy.LIMITS;
    }

    /** Whether a consumer of this kind counts towards limits. */
    static boolean counts(ConsumerState consumer) {
        return !consumer.config().direct() && !consumer.config().sourcing();
    }

    /** A number that two equal states share: state, messages and consumers. */
    public long stateHash() {
        return StateHash.of(encode(), store);
    }

    @Override
    public String name() {
        return account + "/" + config.name();
    }

    @Override
    public boolean dirty() {
        return failure == null && (changed || checkpointFailed || checkpoints.dirty());
    }

    @Override
    public boolean broken() {
        return failure != null;
    }

    @Override
    public StreamStore.Checkpoint begin(long appliedIndex) {
        StreamStore.Checkpoint checkpoint = checkpoints.beginCheckpoint(appliedIndex, encode());
        changed = false;
        checkpointFailed = false;
        return () -> {
            try {
                checkpoint.write();
            } catch (IOException | RuntimeException e) {
                checkpointFailed = true;
                throw e;
            }
        };
    }

    @Override
    public long checkpointIndex() {
        return checkpoints.checkpointIndex();
    }
}
