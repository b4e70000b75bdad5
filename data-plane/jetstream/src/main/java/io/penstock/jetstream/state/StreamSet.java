package io.penstock.jetstream.state;

import io.penstock.protocol.SubjectFilter;
import io.penstock.protocol.jetstream.ApiError;
import io.penstock.protocol.jetstream.ConsumerAction;
import io.penstock.protocol.jetstream.ConsumerConfig;
import io.penstock.protocol.jetstream.GoTime;
import io.penstock.protocol.jetstream.JetStreamJson;
import io.penstock.protocol.jetstream.JsError;
import io.penstock.protocol.jetstream.JsException;
import io.penstock.protocol.jetstream.StorageType;
import io.penstock.protocol.jetstream.StreamConfig;
import io.penstock.storage.StorageException;
import io.penstock.storage.StoreFactory;
import io.penstock.storage.StreamStore;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import org.agrona.collections.Long2ObjectHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All streams of a placement group, and how a record changes them. Owned by the group's loop. */
public final class StreamSet {
    /** Hears of streams coming and going; how the leader keeps its runtime in step. */
    public interface Listener {
        void streamAdded(StreamMachine stream);

        void streamRemoved(StreamMachine stream);

        /** A stream cannot be opened, or cannot follow the log any more. */
        default void streamDamaged(long id, String reason) {}

        /** A check of the replicas was applied. */
        default void checked(CheckResult result) {}
    }

    /** The answer of a record that failed: an {@link ApiError}. Any other answer is the record's own. */
    public record Refused(ApiError error) {}

    /** The answer of a record that came too late, or too early: its stream is on its way from one group to another. */
    public static final Object MOVING = new Object();

    /** The answer of a record whose stream is not here any more: deleted, or in another group by now. */
    public static final Refused GONE = new Refused(JsError.STREAM_NOT_FOUND.of());

    /** The answer of a record whose stream waits for a copy: what comes of it here is not known yet. */
    public static final Object BEHIND = new Object();

    /** Positions in one entry, above what a batch can hold. */
    private static final int POSITIONS = 1 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(StreamSet.class);

    private final StoreFactory stores;
    private final Long2ObjectHashMap<StreamMachine> streams = new Long2ObjectHashMap<>();
    /** Streams that wait for a copy, by id. */
    private final Long2ObjectHashMap<Backlog> backlogs = new Long2ObjectHashMap<>();

    private final PublishResult publishResult = new PublishResult();
    private final Listener listener;

    /** Whether other nodes keep the same streams: then nothing is left to memory alone. */
    private final boolean replicated;

    /** Streams that the cluster's metadata knows, by their generation in it. */
    private final Long2ObjectHashMap<StreamMachine> byGeneration = new Long2ObjectHashMap<>();

    public StreamSet(StoreFactory stores, Listener listener, boolean replicated) {
        this.stores = stores;
        this.listener = listener;
        this.replicated = replicated;
    }

    /** Opens what checkpoints left on disk; to be called before the log is applied. */
    public void recover() {
        for (StoreFactory.StoredStream stored : stores.list()) {
            if (stored.damaged()) {
                LOG.error(
                        "stream {}/{} can not be opened and stays offline: {}",
                        stored.account(),
                        stored.stream(),
                        stored.damage());
                if (replicated) {
                    backlogs.put(stored.incarnation(), new Backlog());
                    listener.streamDamaged(stored.incarnation(), stored.damage());
                }
                continue;
            }
            StreamStore store = stores.open(stored);
            add(StreamMachine.recover(
                    stored.incarnation(), stored.account(), store, replicated ? null : stores::createInMemory));
        }
    }

    private void add(StreamMachine machine) {
        streams.put(machine.id(), machine);
        if (machine.generation() > 0) {
            byGeneration.put(machine.generation(), machine);
        }
        listener.streamAdded(machine);
    }

    /** Closes every stream; nothing is applied afterwards. */
    public void close() {
        streams.values().forEach(StreamMachine::close);
        streams.clear();
        byGeneration.clear();
        backlogs.clear();
    }

    /** The stream of this generation in the cluster's metadata, or null. */
    public StreamMachine byGeneration(long generation) {
        return byGeneration.get(generation);
    }

    /**
     * Applies one record.
     *
     * @param position of the record in its entry
     * @return what the proposer is told; {@link PublishResult} for a publish, {@link Refused} for an error
     */
    public Object apply(long index, int position, long now, byte[] bytes, int offset, int end) {
        ByteReader in = new ByteReader(bytes, offset, end);
        RecordType type = RecordType.of(in.u8());
        if (type == RecordType.STREAM_CREATE) {
            return create(index * POSITIONS + position, now, in);
        }
        if (type == RecordType.CHECK) {
            in.varint();
            return check(index, in.varint(), (int) in.varint());
        }
        long id = in.varint();
        Backlog backlog = backlogs.get(id);
        if (backlog != null) {
            if (type != RecordType.STREAM_DELETE) {
                backlog.hold(index, position, now, bytes, offset, end);
                return BEHIND;
            }
            giveUpRepair(id);
        }
        StreamMachine stream = streams.get(id);
        if (stream == null) {
            return GONE;
        }
        if (index <= stream.checkpointIndex() && type != RecordType.STREAM_DELETE) {
            return null;
        }
        if (stream.failure() != null && type != RecordType.STREAM_DELETE) {
            return new Refused(JsError.STREAM_OFFLINE_REASON.of(stream.failure()));
        }
        if (!taken(stream.phase(), type)) {
            return MOVING;
        }
        try {
            return switch (type) {
                case PUBLISH -> publish(stream, now, in);
                case PUBLISH_BATCH -> stream.publishBatch(now, BatchRecord.read(in));
                case STREAM_DELETE -> delete(stream);
                default -> change(type, stream, now, in);
            };
        } catch (JsException e) {
            return new Refused(e.error());
        } catch (StorageException e) {
            LOG.error("stream {} stops: {}", stream.name(), e.getMessage(), e);
            stream.fail(e.getMessage());
            if (replicated) {
                beginRepair(id);
                backlogs.get(id).hold(index, position, now, bytes, offset, end);
                listener.streamDamaged(id, e.getMessage());
                return BEHIND;
            }
            return new Refused(JsError.STREAM_STORE_FAILED.of(e.getMessage()));
        }
    }

    private CheckResult check(long index, long from, int limit) {
        TreeMap<Long, Long> digests = new TreeMap<>();
        List<Long> ids = new ArrayList<>(streams.keySet());
        backlogs.keySet().forEach(id -> {
            if (!streams.containsKey(id)) {
                ids.add(id);
            }
        });
        ids.removeIf(id -> id < from);
        ids.sort(null);
        for (long id : ids.subList(0, Math.min(limit, ids.size()))) {
            StreamMachine stream = streams.get(id);
            // Applied again after a restart, the log has yet to come to where the checkpoint is.
            boolean known = !backlogs.containsKey(id) && index > stream.checkpointIndex();
            digests.put(id, known ? stream.digest() & Long.MAX_VALUE : CheckResult.UNKNOWN);
        }
        CheckResult result = new CheckResult(index, digests, ids.size() > limit ? ids.get(limit) : 0);
        listener.checked(result);
        return result;
    }

    /** From here on what the log brings for a stream is kept until a copy is there; its present state stays as it is. */
    public void beginRepair(long id) {
        backlogs.computeIfAbsent(id, i -> new Backlog()).begin();
        StreamMachine stream = streams.get(id);
        if (stream != null && stream.failure() == null) {
            // No checkpoint may claim what is kept here and not applied.
            stream.fail("a copy from another replica is on its way");
        }
    }

    /** The others do not have the stream any more: the record that removes it is on its way, or came. */
    public void giveUpRepair(long id) {
        backlogs.remove(id);
        if (!streams.containsKey(id)) {
            stores.forget(id);
        }
    }

    /** Whether a stream waits for a copy. */
    public boolean repairing(long id) {
        return backlogs.containsKey(id);
    }

    /** Whether streams that should be here are not, until a copy of them comes. */
    public boolean incomplete() {
        for (long id : backlogs.keySet()) {
            if (!streams.containsKey(id)) {
                return true;
            }
        }
        return false;
    }

    /** Whether what was kept for a stream is not enough: the repair begins anew. */
    public boolean overflown(long id) {
        return backlogs.get(id) != null && backlogs.get(id).overflown();
    }

    /** Lets a stream's files go, so that a copy can take their place. */
    public void closeForRepair(long id) {
        StreamMachine stream = streams.remove(id);
        if (stream != null) {
            byGeneration.remove(stream.generation(), stream);
            listener.streamRemoved(stream);
            stream.close();
        }
    }

    /**
     * Opens the copy, and applies to it what was kept.
     *
     * @return whether there is a stream now
     */
    public boolean finishRepair(long id) {
        Backlog backlog = backlogs.get(id);
        StoreFactory.StoredStream stored = stores.find(id);
        if (backlog == null || stored == null || stored.damaged()) {
            return false;
        }
        backlogs.remove(id);
        add(StreamMachine.recover(id, stored.account(), stores.open(stored), null));
        for (Backlog.Held held : backlog.records()) {
            apply(held.index(), held.position(), held.now(), held.bytes(), 0, held.bytes().length);
        }
        return true;
    }

    private static boolean taken(Phase phase, RecordType type) {
        return switch (type) {
            case STREAM_DELETE, FENCE, UNFENCE -> true;
            case STREAM_UPDATE -> phase != Phase.IMPORTING;
            case IMPORT, IMPORT_END -> phase == Phase.IMPORTING;
            default -> phase == Phase.SERVING;
        };
    }

    private Object create(long id, long now, ByteReader in) {
        String account = in.text();
        StreamConfig config = JetStreamJson.readOwn(in.block(), StreamConfig.class);
        if (streams.containsKey(id)) {
            return null;
        }
        long generation = in.hasMore() ? in.varint() : 0;
        long version = in.hasMore() ? in.varint() : 0;
        long created = in.hasMore() ? in.varint() : now;
        if (generation > 0 && byGeneration.containsKey(generation)) {
            // An earlier leader put it into the log too.
            return byGeneration.get(generation);
        }
        StreamStore file = stores.create(account, config.name(), id);
        StreamStore store = config.storage() == StorageType.MEMORY && !replicated ? stores.createInMemory() : file;
        StreamMachine machine = new StreamMachine(id, account, created, config, store, file, replicated);
        machine.assigned(generation, version);
        if (in.hasMore() && in.bool()) {
            machine.phase(Phase.IMPORTING);
        }
        add(machine);
        return machine;
    }

    private Object delete(StreamMachine stream) {
        streams.remove(stream.id());
        byGeneration.remove(stream.generation(), stream);
        listener.streamRemoved(stream);
        stream.delete();
        return true;
    }

    private PublishResult publish(StreamMachine stream, long now, ByteReader in) {
        String subject = in.latin();
        int headersLength = in.length();
        int headersOffset = in.position();
        int payloadOffset = headersOffset + headersLength;
        stream.publish(
                now,
                subject,
                in.array(),
                headersOffset,
                headersLength,
                payloadOffset,
                in.end() - payloadOffset,
                publishResult);
        return publishResult;
    }

    private Object change(RecordType type, StreamMachine stream, long now, ByteReader in) {
        return switch (type) {
            case STREAM_UPDATE -> update(stream, in);
            case PURGE -> purge(stream, in);
            case MESSAGE_DELETE -> stream.remove(in.varint(), null, in.bool());
            case CONSUMER_PUT -> putConsumer(stream, now, in);
            case CONSUMER_DELETE -> stream.removeConsumer(in.text());
            case CONSUMER_OPS -> {
                stream.consumerOps(in, now);
                yield true;
            }
            case CONSUMER_RESET -> stream.resetConsumer((int) in.varint(), in.varint());
            case CONSUMER_PAUSE -> pause(stream, in.text(), in.varint());
            case TICK -> {
                stream.expire(now);
                yield true;
            }
            case IMPORT -> {
                StreamCopy.takeMessages(stream, in);
                yield true;
            }
            case IMPORT_END -> {
                StreamCopy.takeRest(stream, in);
                yield true;
            }
            case ADOPT -> {
                long generation = in.varint();
                stream.assigned(generation, in.varint());
                byGeneration.put(generation, stream);
                yield stream;
            }
            case FENCE -> {
                stream.fence(in.varint());
                yield true;
            }
            case UNFENCE -> {
                stream.unfence(in.varint());
                yield true;
            }
            default -> throw new IllegalStateException("record " + type + " in the wrong place");
        };
    }

    private static StreamMachine update(StreamMachine stream, ByteReader in) {
        StreamConfig config = JetStreamJson.readOwn(in.block(), StreamConfig.class);
        long version = in.hasMore() ? in.varint() : 0;
        if (version == 0 || version > stream.version()) {
            stream.reconfigure(config);
            stream.assigned(stream.generation(), version);
        }
        return stream;
    }

    private static long purge(StreamMachine stream, ByteReader in) {
        long count = in.varint();
        List<String> patterns = new ArrayList<>();
        for (long i = 0; i < count; i++) {
            patterns.add(in.latin());
        }
        return stream.purge(SubjectFilter.of(patterns), in.varint(), in.varint());
    }

    private static ConsumerState putConsumer(StreamMachine stream, long now, ByteReader in) {
        String name = in.text();
        ConsumerAction action = ConsumerAction.fromWire(in.text());
        int limit = (int) in.varint();
        return stream.putConsumer(name, JetStreamJson.readOwn(in.block(), ConsumerConfig.class), action, now, limit);
    }

    private static Object pause(StreamMachine stream, String name, long until) {
        ConsumerState consumer = stream.consumer(name);
        if (consumer == null) {
            return new Refused(JsError.CONSUMER_NOT_FOUND.of());
        }
        ConsumerConfig next = consumer.config().toBuilder()
                .pauseUntil(until == 0 ? null : GoTime.instant(until))
                .build();
        stream.setConsumerConfig(consumer, next);
        return consumer;
    }

    public StreamMachine get(long id) {
        return streams.get(id);
    }

    public Collection<StreamMachine> all() {
        return streams.values();
    }

    /** A number that two equal states share; streams in memory are left out. */
    public long stateHash() {
        long hash = 0;
        for (StreamMachine stream : streams.values()) {
            if (!stream.isVolatile()) {
                hash += stream.stateHash() * (stream.id() | 1);
            }
        }
        return hash;
    }
}
