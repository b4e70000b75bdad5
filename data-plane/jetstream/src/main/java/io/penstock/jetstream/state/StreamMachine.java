package io.penstock.jetstream.state;

import io.penstock.consensus.Checkpointed;
import io.penstock.protocol.InvalidTransformException;
import io.penstock.protocol.SubjectFilter;
import io.penstock.protocol.SubjectTransform;
import io.penstock.protocol.Subjects;
import io.penstock.protocol.jetstream.ApiError;
import io.penstock.protocol.jetstream.ConsumerAction;
import io.penstock.protocol.jetstream.ConsumerConfig;
import io.penstock.protocol.jetstream.GoTime;
import io.penstock.protocol.jetstream.JetStreamJson;
import io.penstock.protocol.jetstream.RetentionPolicy;
import io.penstock.protocol.jetstream.StorageType;
import io.penstock.protocol.jetstream.StreamConfig;
import io.penstock.storage.StreamState;
import io.penstock.storage.StreamStore;
import java.io.IOException;
import java.util.Collection;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.zip.CRC32C;
import org.agrona.collections.Int2ObjectHashMap;

/**
 * One stream with its consumers: the same records in the same order with the same times give the same state. Nothing
 * here reads a clock, draws a random number or talks to a client.
 *
 * <p>Owned by the group's loop.
 */
public final class StreamMachine implements Checkpointed {
    private static final int FORMAT = 2;

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

    private final DedupeWindow dedupe = new DedupeWindow();
    private final ExpiryIndex expiry = new ExpiryIndex();
    private final TreeMap<String, ConsumerState> consumers = new TreeMap<>();
    private final Int2ObjectHashMap<ConsumerState> consumersById = new Int2ObjectHashMap<>();
    private final PublishHeaders headers = new PublishHeaders();

    private StreamConfig config;
    private SubjectTransform transform;
    private int nextConsumerId = 1;
    private String lastMessageId = "";
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
        nextConsumerId = (int) in.varint();
        long count = in.varint();
        for (long i = 0; i < count; i++) {
            register(ConsumerState.decode(in));
        }
        if (withMessages) {
            lastMessageId = in.text();
            dedupe.decode(in);
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
        out.varint(nextConsumerId).varint(consumers.size());
        for (ConsumerState consumer : consumers.values()) {
            // Without its messages a consumer in memory has nothing to go on from.
            (withMessages ? consumer : fresh(consumer)).encode(out);
        }
        if (withMessages) {
            out.text(lastMessageId);
            dedupe.encode(out);
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
        consumersById.clear();
        decodeState(in, true);
        phase = Phase.SERVING;
        changed = true;
    }

    private static ConsumerState fresh(ConsumerState consumer) {
        ConsumerState state = new ConsumerState(consumer.id(), consumer.name(), consumer.created(), consumer.config());
        state.startAt(1);
        return state;
    }

    private void configure(StreamConfig next) {
        config = next;
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
        result.clear();
        String subject = transformed(publishedSubject);
        result.subject = subject;
        headers.parse(bytes, headersOffset, headersLength);
        ApiError refused = PublishChecks.beforeDedupe(this, headers, subject, headersLength, payloadLength);
        if (refused == null && headers.messageId != null && config.duplicateWindow() > 0) {
            long first = dedupe.find(headers.messageId, now, config.duplicateWindow());
            if (first > 0) {
                result.sequence = first;
                result.duplicate = true;
                return;
            }
        }
        if (refused == null) {
            refused = PublishChecks.afterDedupe(this, headers);
        }
        if (refused == null) {
            refused = PublishChecks.limits(
                    this, headers, subject, store.sizeOf(subject.length(), headersLength, payloadLength));
        }
        if (refused != null) {
            result.refuse(refused);
            return;
        }
        if (headers.requestInfoStart >= 0) {
            storeWithoutRequestInfo(
                    now, subject, bytes, headersOffset, headersLength, payloadOffset, payloadLength, result);
        } else {
            store(now, subject, bytes, headersOffset, headersLength, payloadOffset, payloadLength, result);
        }
    }

    private String transformed(String subject) {
        if (transform == null) {
            return subject;
        }
        long seed = (store.state().lastSequence() + 1) * 0x9E3779B97F4A7C15L;
        String changedSubject =
                transform.apply(subject, bound -> (int) Long.remainderUnsigned(seed ^ (seed >>> 32), bound));
        return changedSubject == null ? subject : changedSubject;
    }

    private void storeWithoutRequestInfo(
            long now,
            String subject,
            byte[] bytes,
            int headersOffset,
            int headersLength,
            int payloadOffset,
            int payloadLength,
            PublishResult result) {
        int cut = headers.requestInfoEnd - headers.requestInfoStart;
        int left = headersLength - cut;
        byte[] copy = new byte[left + payloadLength];
        int before = headers.requestInfoStart - headersOffset;
        System.arraycopy(bytes, headersOffset, copy, 0, before);
        System.arraycopy(bytes, headers.requestInfoEnd, copy, before, left - before);
        System.arraycopy(bytes, payloadOffset, copy, left, payloadLength);
        // A block of nothing but its first line and the blank line is no block.
        int kept = left <= "NATS/1.0\r\n\r\n".length() ? 0 : left;
        store(now, subject, copy, left - kept, kept, left, payloadLength, result);
    }

    private void store(
            long now,
            String subject,
            byte[] bytes,
            int headersOffset,
            int headersLength,
            int payloadOffset,
            int payloadLength,
            PublishResult result) {
        long sequence = store.state().lastSequence() + 1;
        result.timestamp = now;
        if (config.retention() == RetentionPolicy.INTEREST && !RetentionRules.hasInterest(this, subject)) {
            store.skip(sequence, now);
            accepted(sequence, now, result);
            events.skipped(sequence);
            return;
        }
        if (config.republish() != null) {
            var held = store.subject(subject);
            result.previousOnSubject = held == null ? 0 : held.lastSequence();
        }
        append(sequence, now, subject, bytes, headersOffset, headersLength, payloadOffset, payloadLength);
        accepted(sequence, now, result);
        result.stored = true;
        noteLifetime(sequence, now);
        events.stored(sequence, subject);
        if (headers.rollup != null) {
            rollup(sequence, subject);
        }
        RetentionRules.enforceLimits(this, subject);
    }

    void append(
            long sequence,
            long now,
            String subject,
            byte[] bytes,
            int headersOffset,
            int headersLength,
            int payloadOffset,
            int payloadLength) {
        store.append(sequence, now, subject, bytes, headersOffset, headersLength, payloadOffset, payloadLength);
        if (replicated) {
            CRC32C crc = new CRC32C();
            crc.update(bytes, headersOffset, headersLength);
            crc.update(bytes, payloadOffset, payloadLength);
            long mixed = (rolling * 31 + sequence) * 31 + now;
            mixed = (mixed * 31 + subject.hashCode()) * 31 + crc.getValue();
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
        for (ConsumerState consumer : consumers.values()) {
            progress.clear();
            consumer.encodeProgress(progress);
            CRC32C crc = new CRC32C();
            crc.update(progress.array(), 0, progress.length());
            sum = (sum * 31 + consumer.name().hashCode()) * 31 + crc.getValue();
        }
        return sum;
    }

    private void accepted(long sequence, long now, PublishResult result) {
        result.sequence = sequence;
        String messageId = headers.messageId == null ? "" : headers.messageId;
        if (!messageId.equals(lastMessageId)) {
            lastMessageId = messageId;
            changed = true;
        }
        if (headers.messageId != null && config.duplicateWindow() > 0) {
            dedupe.add(headers.messageId, sequence, now);
            changed = true;
        }
    }

    private void noteLifetime(long sequence, long now) {
        if (headers.ttlNanos == PublishHeaders.TTL_NEVER) {
            expiry.addEndless(sequence);
        } else if (headers.ttlNanos > 0) {
            long lifetime = headers.ttlNanos;
            if (config.subjectDeleteMarkerTtl() > lifetime && config.maxMsgsPerSubject() != 1) {
                lifetime = config.subjectDeleteMarkerTtl();
            }
            expiry.add(sequence, now + lifetime);
        } else {
            return;
        }
        changed = true;
    }

    private void rollup(long sequence, String subject) {
        SubjectFilter filter = headers.rollup.equalsIgnoreCase("all") ? SubjectFilter.ALL : SubjectFilter.of(subject);
        if (store.purge(filter, sequence, 0) > 0) {
            events.purged();
        }
    }

    /** Leaves a note that the last message of a subject came to its end. */
    void storeMarker(String subject, long ttl, long now) {
        String lines =
                "Nats-Marker-Reason: MaxAge\r\nNats-TTL: " + GoTime.formatDuration(ttl) + "\r\nNats-Rollup: sub\r\n";
        byte[] block = Headers.of(lines);
        long sequence = store.state().lastSequence() + 1;
        append(sequence, now, subject, block, 0, block.length, block.length, 0);
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

    /** Removes messages; see {@link StreamStore#purge}. Answers how many. */
    public long purge(SubjectFilter filter, long belowSequence, long keep) {
        long purged = store.purge(filter, belowSequence, keep);
        if (purged > 0) {
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
        ConsumerState existing = consumers.get(name);
        if (existing != null) {
            ConsumerConfig before = existing.config();
            ConsumerConfig next =
                    requested.toBuilder().pauseUntil(before.pauseUntil()).build();
            ConsumerRules.checkUpdate(this, existing, next, action);
            if (next.equals(before)) {
                return existing;
            }
            setConsumerConfig(existing, next);
            return existing;
        }
        ConsumerRules.checkNew(this, requested, action, limit);
        ConsumerState state = new ConsumerState(nextConsumerId++, name, now, requested);
        ConsumerRules.selectStart(this, state);
        register(state);
        changed = true;
        events.consumerAdded(state);
        return state;
    }

    /** Changes a consumer's configuration without asking the rules: pause, and what the rules have passed. */
    public void setConsumerConfig(ConsumerState consumer, ConsumerConfig next) {
        ConsumerConfig before = consumer.config();
        consumer.configure(next);
        changed = true;
        events.consumerChanged(consumer, before);
        if (!ConsumerState.filterOf(before).patterns().equals(consumer.filter().patterns())) {
            RetentionRules.sweepInterest(this);
        }
    }

    private void register(ConsumerState state) {
        consumers.put(state.name(), state);
        consumersById.put(state.id(), state);
    }

    /** Removes a consumer; answers whether it was there. */
    public boolean removeConsumer(String name) {
        ConsumerState state = consumers.remove(name);
        if (state == null) {
            return false;
        }
        consumersById.remove(state.id());
        changed = true;
        events.consumerRemoved(state);
        RetentionRules.sweepInterest(this);
        return true;
    }

    /** Sets a consumer back; answers the first sequence it will deliver, or 0 when there is no such consumer. */
    public long resetConsumer(int consumerId, long sequence) {
        ConsumerState state = consumersById.get(consumerId);
        if (state == null) {
            return 0;
        }
        long from = Math.max(1, sequence == 0 ? state.ackFloorStream() + 1 : sequence);
        state.reset(from);
        changed = true;
        events.consumerReset(state);
        RetentionRules.sweepInterest(this);
        return from;
    }

    /** Applies what a consumer delivered and what came back, in its order. */
    public void consumerOps(ByteReader in, long now) {
        ConsumerState consumer = consumersById.get((int) in.varint());
        if (consumer == null || in.varint() != consumer.epoch()) {
            return;
        }
        changed = true;
        while (in.hasMore()) {
            int op = in.u8();
            switch (op) {
                case ConsumerOps.DELIVER -> {
                    long sequence = consumer.deliveredStream() + in.varint();
                    consumer.deliver(sequence, now, now + consumerWait(consumer, 1));
                    RetentionRules.delivered(this, consumer, sequence);
                }
                case ConsumerOps.REDELIVER -> {
                    long sequence = in.varint();
                    PendingSet.Entry entry = consumer.pending().get(sequence);
                    int count = entry == null ? 1 : entry.deliveries() + 1;
                    consumer.redeliver(sequence, now, now + consumerWait(consumer, count));
                }
                case ConsumerOps.ACK -> {
                    long sequence = in.varint();
                    if (consumer.ack(sequence, now)) {
                        RetentionRules.acknowledged(this, sequence);
                    }
                }
                case ConsumerOps.ACK_ALL ->
                    consumer.ackAll(in.varint(), now, sequence -> RetentionRules.acknowledged(this, sequence));
                case ConsumerOps.EXHAUST -> consumer.exhaust(in.varint());
                case ConsumerOps.DEFER -> {
                    long sequence = in.varint();
                    consumer.defer(sequence, now + in.varint());
                }
                case ConsumerOps.SKIP -> consumer.skipTo(consumer.deliveredStream() + in.varint());
                default -> throw new IllegalStateException("unknown consumer operation " + op);
            }
        }
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
        return consumers.values();
    }

    // --- the rest ---------------------------------------------------------------------------------------------

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

    ExpiryIndex expiry() {
        return expiry;
    }

    String lastMessageId() {
        return lastMessageId;
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
