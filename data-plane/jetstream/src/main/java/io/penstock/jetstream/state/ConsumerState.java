package io.penstock.jetstream.state;

import io.penstock.protocol.SubjectFilter;
import io.penstock.protocol.Subjects;
import io.penstock.protocol.jetstream.AckPolicy;
import io.penstock.protocol.jetstream.ConsumerConfig;
import io.penstock.protocol.jetstream.JetStreamJson;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongConsumer;
import org.agrona.collections.LongHashSet;

/**
 * How far a consumer has come: what it delivered, what of it is acknowledged. The log keeps one of these per consumer;
 * the leader keeps a second that runs ahead of the log by what is on its way into it.
 */
public final class ConsumerState {
    private final int id;
    private final String name;
    private final long created;
    private ConsumerConfig config;
    private SubjectFilter filter;
    private final PendingSet pending = new PendingSet();
    private final LongHashSet exhausted = new LongHashSet();

    /** What deliver policy last_per_subject begins with, in rising order; behind it the consumer goes on as usual. */
    private long[] initial = {};

    private long startSequence;
    private long deliveredConsumer;
    private long deliveredStream;
    private long deliveredAt;
    private long ackedAt;
    private long redelivered;

    /** Where the ack floor stays after its message was given up, until an acknowledgement moves it; -1 for nowhere. */
    private long heldConsumer = -1;

    private long heldStream;

    /** How often the consumer was set back: tells progress from before a reset from that after it. */
    private long epoch;

    public ConsumerState(int id, String name, long created, ConsumerConfig config) {
        this.id = id;
        this.name = name;
        this.created = created;
        configure(config);
    }

    /** Another of the same configuration, without progress. */
    private ConsumerState(ConsumerState other) {
        id = other.id;
        name = other.name;
        created = other.created;
        config = other.config;
        filter = other.filter;
    }

    /** The filters of a configuration as one filter of wire subjects. */
    public static SubjectFilter filterOf(ConsumerConfig config) {
        List<String> subjects =
                config.filterSubject().isEmpty() ? config.filterSubjects() : List.of(config.filterSubject());
        return SubjectFilter.of(subjects.stream().map(Subjects::fromUtf8).toList());
    }

    public void configure(ConsumerConfig next) {
        config = next;
        filter = filterOf(next);
    }

    /** Begins at {@code sequence}, the first that may be delivered. */
    public void startAt(long sequence) {
        startSequence = sequence;
        deliveredStream = sequence - 1;
        initial = new long[0];
    }

    /** Begins with these sequences, in rising order, then goes on behind {@code resumeAfter}. */
    public void startWith(long[] sequences, long resumeAfter) {
        startAt(sequences.length == 0 ? resumeAfter + 1 : sequences[0]);
        initial = sequences.length == 0 ? sequences : withResume(sequences, resumeAfter);
    }

    private static long[] withResume(long[] sequences, long resumeAfter) {
        long[] all = Arrays.copyOf(sequences, sequences.length + 1);
        all[sequences.length] = resumeAfter;
        return all;
    }

    /** Forgets deliveries and begins again at {@code sequence} with consumer sequence 1. */
    public void reset(long sequence) {
        pending.clear();
        exhausted.clear();
        deliveredConsumer = 0;
        deliveredAt = 0;
        ackedAt = 0;
        redelivered = 0;
        heldConsumer = -1;
        epoch++;
        startAt(sequence);
    }

    /** Notes the first delivery of a message; answers the consumer sequence. */
    public long deliver(long streamSequence, long now, long deadline) {
        deliveredConsumer++;
        if (config.ackPolicy() != AckPolicy.NONE) {
            pending.add(streamSequence, deliveredConsumer, deliveredStream, deadline);
        }
        deliveredStream = streamSequence;
        deliveredAt = now;
        return deliveredConsumer;
    }

    /** Notes another delivery of a pending message; answers the consumer sequence. */
    public long redeliver(long streamSequence, long now, long deadline) {
        PendingSet.Entry entry = pending.get(streamSequence);
        if (entry == null) {
            return deliveredConsumer;
        }
        deliveredConsumer++;
        if (entry.deliveries() == 1) {
            redelivered++;
        }
        entry.delivered(deadline);
        deliveredAt = now;
        return deliveredConsumer;
    }

    /** Acknowledges one message; answers whether it was waiting for it. */
    public boolean ack(long streamSequence, long now) {
        PendingSet.Entry entry = pending.remove(streamSequence);
        if (entry == null) {
            if (exhausted.remove(streamSequence)) {
                ackedAt = now;
                return true;
            }
            return false;
        }
        if (entry.deliveries() > 1) {
            redelivered--;
        }
        if (pending.isEmpty()) {
            heldConsumer = -1;
        }
        ackedAt = now;
        return true;
    }

    /** Acknowledges a message and everything before it; {@code acked} hears of each in rising order. */
    public void ackAll(long streamSequence, long now, LongConsumer acked) {
        for (PendingSet.Entry e = pending.first();
                e != null && e.streamSequence() <= streamSequence;
                e = pending.first()) {
            ack(e.streamSequence(), now);
            acked.accept(e.streamSequence());
        }
        for (long sequence : exhaustedUpTo(streamSequence)) {
            exhausted.remove(sequence);
            acked.accept(sequence);
        }
    }

    private long[] exhaustedUpTo(long streamSequence) {
        if (exhausted.isEmpty()) {
            return new long[0];
        }
        return exhausted.stream()
                .mapToLong(Long::longValue)
                .filter(s -> s <= streamSequence)
                .sorted()
                .toArray();
    }

    /** Gives up on a message that was delivered as often as allowed: it stays in the stream, unacknowledged. */
    public void exhaust(long streamSequence) {
        long floorConsumer = ackFloorConsumer();
        long floorStream = ackFloorStream();
        boolean oldest = pending.first() != null && pending.first().streamSequence() == streamSequence;
        PendingSet.Entry entry = pending.remove(streamSequence);
        if (entry != null) {
            if (oldest) {
                heldConsumer = floorConsumer;
                heldStream = floorStream;
            }
            if (entry.deliveries() > 1) {
                redelivered--;
            }
            exhausted.add(streamSequence);
        }
    }

    /** Puts off the next delivery of a pending message. */
    public void defer(long streamSequence, long deadline) {
        PendingSet.Entry entry = pending.get(streamSequence);
        if (entry != null) {
            entry.deadline(deadline);
        }
    }

    /** Whether the message at this sequence, which the filter matches, has yet to be acknowledged by this consumer. */
    public boolean needs(long streamSequence) {
        if (streamSequence <= deliveredStream) {
            return pending.get(streamSequence) != null || exhausted.contains(streamSequence);
        }
        return initial.length == 0
                || streamSequence > initial[initial.length - 1]
                || Arrays.binarySearch(initial, 0, initial.length - 1, streamSequence) >= 0;
    }

    /** Whether what comes next is one of the initial sequences of last_per_subject. */
    public boolean inInitial() {
        return initial.length > 1 && deliveredStream < initial[initial.length - 2];
    }

    /** The next of the initial sequences. */
    public long nextInitial() {
        int at = Arrays.binarySearch(initial, 0, initial.length - 1, deliveredStream + 1);
        return initial[at >= 0 ? at : -at - 1];
    }

    /** How many initial sequences are left. */
    public int initialLeft() {
        if (!inInitial()) {
            return 0;
        }
        int at = Arrays.binarySearch(initial, 0, initial.length - 1, deliveredStream + 1);
        return initial.length - 1 - (at >= 0 ? at : -at - 1);
    }

    /** Where the search for new messages begins, once the initial ones are done. */
    public long nextSequence() {
        return initial.length == 0 ? deliveredStream + 1 : Math.max(deliveredStream, initial[initial.length - 1]) + 1;
    }

    /** Moves on without delivering: everything up to this sequence is out of reach for good. */
    public void skipTo(long streamSequence) {
        if (streamSequence > deliveredStream) {
            deliveredStream = streamSequence;
        }
    }

    public long ackFloorConsumer() {
        if (floorHeld()) {
            return heldConsumer;
        }
        PendingSet.Entry oldest = pending.first();
        return oldest == null ? deliveredConsumer : oldest.consumerSequence() - 1;
    }

    public long ackFloorStream() {
        if (floorHeld()) {
            return heldStream;
        }
        PendingSet.Entry oldest = pending.first();
        return oldest == null ? deliveredStream : oldest.previousStreamSequence();
    }

    private boolean floorHeld() {
        PendingSet.Entry oldest = pending.first();
        return heldConsumer >= 0 && (oldest == null || oldest.consumerSequence() > heldConsumer);
    }

    public int id() {
        return id;
    }

    public String name() {
        return name;
    }

    public long epoch() {
        return epoch;
    }

    /** Nanoseconds since the epoch. */
    public long created() {
        return created;
    }

    public ConsumerConfig config() {
        return config;
    }

    public SubjectFilter filter() {
        return filter;
    }

    public PendingSet pending() {
        return pending;
    }

    public long startSequence() {
        return startSequence;
    }

    public long deliveredConsumer() {
        return deliveredConsumer;
    }

    public long deliveredStream() {
        return deliveredStream;
    }

    /** Time of the last delivery, 0 before the first. */
    public long deliveredAt() {
        return deliveredAt;
    }

    /** Time of the last acknowledgement, 0 before the first. */
    public long ackedAt() {
        return ackedAt;
    }

    /** Pending messages delivered more than once. */
    public long redelivered() {
        return redelivered;
    }

    /** How far it has come, for a backup. */
    public ConsumerProgress progress() {
        List<ConsumerProgress.Pending> waiting = new ArrayList<>(pending.size());
        for (PendingSet.Entry e = pending.first(); e != null; e = e.next()) {
            long at = Math.max(0, e.deadline() - StreamMachine.consumerWait(this, e.deliveries()));
            waiting.add(new ConsumerProgress.Pending(e.streamSequence(), e.consumerSequence(), e.deliveries(), at));
        }
        return new ConsumerProgress(
                deliveredConsumer,
                deliveredStream,
                ackFloorConsumer(),
                ackFloorStream(),
                waiting,
                Arrays.stream(exhaustedUpTo(Long.MAX_VALUE)).boxed().toList(),
                Arrays.stream(initial).boxed().toList());
    }

    /** Goes on where a backup was taken. */
    void take(ConsumerProgress from) {
        pending.clear();
        exhausted.clear();
        startAt((from.deliveredConsumer() == 0 ? from.deliveredStream() : from.floorStream()) + 1);
        deliveredConsumer = from.deliveredConsumer();
        deliveredStream = from.deliveredStream();
        initial = from.initial().stream().mapToLong(Long::longValue).toArray();
        exhausted.addAll(from.exhausted());
        redelivered = 0;
        for (ConsumerProgress.Pending p : from.pending()) {
            long previous = pending.isEmpty() ? from.floorStream() : p.sequence() - 1;
            PendingSet.Entry entry = pending.add(p.sequence(), p.consumerSequence(), previous, p.deliveredAt());
            entry.deliveries(p.deliveries());
            entry.deadline(p.deliveredAt() + StreamMachine.consumerWait(this, p.deliveries()));
            redelivered += p.deliveries() > 1 ? 1 : 0;
        }
        heldConsumer = -1;
        boolean follows = ackFloorConsumer() == from.floorConsumer() && ackFloorStream() == from.floorStream();
        if (!follows) {
            heldConsumer = from.floorConsumer();
            heldStream = from.floorStream();
        }
    }

    /** An independent copy. */
    public ConsumerState copy() {
        ByteWriter out = new ByteWriter(128);
        encodeProgress(out);
        ConsumerState copy = new ConsumerState(this);
        copy.decodeProgress(new ByteReader(out.array(), 0, out.length()));
        return copy;
    }

    void encode(ByteWriter out) {
        out.varint(id).text(name).varint(created).block(JetStreamJson.write(config));
        encodeProgress(out);
    }

    void encodeProgress(ByteWriter out) {
        out.varint(startSequence).varint(deliveredConsumer).varint(deliveredStream);
        out.varint(deliveredAt).varint(ackedAt).varint(redelivered).varint(epoch);
        out.varint(heldConsumer + 1).varint(heldStream);
        out.varint(initial.length);
        long previous = 0;
        for (long sequence : initial) {
            out.varint(sequence - previous);
            previous = sequence;
        }
        long[] given = exhaustedUpTo(Long.MAX_VALUE);
        out.varint(given.length);
        for (long sequence : given) {
            out.varint(sequence);
        }
        pending.encode(out);
    }

    static ConsumerState decode(ByteReader in) {
        int id = (int) in.varint();
        String name = in.text();
        long created = in.varint();
        ConsumerState state =
                new ConsumerState(id, name, created, JetStreamJson.readOwn(in.block(), ConsumerConfig.class));
        state.decodeProgress(in);
        return state;
    }

    private void decodeProgress(ByteReader in) {
        startSequence = in.varint();
        deliveredConsumer = in.varint();
        deliveredStream = in.varint();
        deliveredAt = in.varint();
        ackedAt = in.varint();
        redelivered = in.varint();
        epoch = in.varint();
        heldConsumer = in.varint() - 1;
        heldStream = in.varint();
        initial = new long[(int) in.varint()];
        long previous = 0;
        for (int i = 0; i < initial.length; i++) {
            previous += in.varint();
            initial[i] = previous;
        }
        long given = in.varint();
        for (long i = 0; i < given; i++) {
            exhausted.add(in.varint());
        }
        pending.decode(in);
    }
}
