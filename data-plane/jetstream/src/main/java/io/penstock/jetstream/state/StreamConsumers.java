package io.penstock.jetstream.state;

import io.penstock.protocol.jetstream.ConsumerAction;
import io.penstock.protocol.jetstream.ConsumerConfig;
import java.util.Collection;
import java.util.TreeMap;
import org.agrona.collections.Int2ObjectHashMap;

/** The consumers of one stream, by name and by number, and what the log says of them. Owned by the group's loop. */
final class StreamConsumers {
    private final StreamMachine stream;
    private final TreeMap<String, ConsumerState> byName = new TreeMap<>();
    private final Int2ObjectHashMap<ConsumerState> byId = new Int2ObjectHashMap<>();
    private int nextId = 1;

    StreamConsumers(StreamMachine stream) {
        this.stream = stream;
    }

    ConsumerState get(String name) {
        return byName.get(name);
    }

    /** All of them by name. */
    Collection<ConsumerState> all() {
        return byName.values();
    }

    void clear() {
        byName.clear();
        byId.clear();
    }

    void decode(ByteReader in) {
        nextId = (int) in.varint();
        long count = in.varint();
        for (long i = 0; i < count; i++) {
            register(ConsumerState.decode(in));
        }
    }

    /** @param withMessages whether the messages are kept too: without them a consumer has nothing to go on from */
    void encode(ByteWriter out, boolean withMessages) {
        out.varint(nextId).varint(byName.size());
        for (ConsumerState consumer : byName.values()) {
            (withMessages ? consumer : fresh(consumer)).encode(out);
        }
    }

    private static ConsumerState fresh(ConsumerState consumer) {
        ConsumerState state = new ConsumerState(consumer.id(), consumer.name(), consumer.created(), consumer.config());
        state.startAt(1);
        return state;
    }

    /**
     * Creates or updates a consumer.
     *
     * @throws io.penstock.protocol.jetstream.JsException when the request does not fit what is there; nothing changed
     */
    ConsumerState put(String name, ConsumerConfig requested, ConsumerAction action, long now, int limit) {
        ConsumerState existing = byName.get(name);
        if (existing != null) {
            ConsumerConfig before = existing.config();
            ConsumerConfig next =
                    requested.toBuilder().pauseUntil(before.pauseUntil()).build();
            ConsumerRules.checkUpdate(stream, existing, next, action);
            if (next.equals(before)) {
                return existing;
            }
            configure(existing, next);
            return existing;
        }
        ConsumerRules.checkNew(stream, requested, action, limit);
        ConsumerState state = new ConsumerState(nextId++, name, now, requested);
        ConsumerRules.selectStart(stream, state);
        register(state);
        stream.touched();
        stream.events().consumerAdded(state);
        return state;
    }

    /** Changes a consumer's configuration without asking the rules: pause, and what the rules have passed. */
    void configure(ConsumerState consumer, ConsumerConfig next) {
        ConsumerConfig before = consumer.config();
        consumer.configure(next);
        stream.touched();
        stream.events().consumerChanged(consumer, before);
        if (!ConsumerState.filterOf(before).patterns().equals(consumer.filter().patterns())) {
            RetentionRules.sweepInterest(stream);
        }
    }

    private void register(ConsumerState state) {
        byName.put(state.name(), state);
        byId.put(state.id(), state);
    }

    /** Removes a consumer; answers whether it was there. */
    boolean remove(String name) {
        ConsumerState state = byName.remove(name);
        if (state == null) {
            return false;
        }
        byId.remove(state.id());
        stream.touched();
        stream.events().consumerRemoved(state);
        RetentionRules.sweepInterest(stream);
        return true;
    }

    /** Sets a consumer back; answers the first sequence it will deliver, or 0 when there is no such consumer. */
    long reset(int consumerId, long sequence) {
        ConsumerState state = byId.get(consumerId);
        if (state == null) {
            return 0;
        }
        long from = Math.max(1, sequence == 0 ? state.ackFloorStream() + 1 : sequence);
        state.reset(from);
        stream.touched();
        stream.events().consumerReset(state);
        RetentionRules.sweepInterest(stream);
        return from;
    }

    /** Applies what a consumer delivered and what came back, in its order. */
    void apply(ByteReader in, long now) {
        ConsumerState consumer = byId.get((int) in.varint());
        if (consumer == null || in.varint() != consumer.epoch()) {
            return;
        }
        stream.touched();
        while (in.hasMore()) {
            int op = in.u8();
            switch (op) {
                case ConsumerOps.DELIVER -> {
                    long sequence = consumer.deliveredStream() + in.varint();
                    consumer.deliver(sequence, now, now + StreamMachine.consumerWait(consumer, 1));
                    RetentionRules.delivered(stream, consumer, sequence);
                }
                case ConsumerOps.REDELIVER -> {
                    long sequence = in.varint();
                    PendingSet.Entry entry = consumer.pending().get(sequence);
                    int count = entry == null ? 1 : entry.deliveries() + 1;
                    consumer.redeliver(sequence, now, now + StreamMachine.consumerWait(consumer, count));
                }
                case ConsumerOps.ACK -> {
                    long sequence = in.varint();
                    if (consumer.ack(sequence, now)) {
                        RetentionRules.acknowledged(stream, sequence);
                    }
                }
                case ConsumerOps.ACK_ALL ->
                    consumer.ackAll(in.varint(), now, sequence -> RetentionRules.acknowledged(stream, sequence));
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
}
