package io.penstock.jetstream.state;

import io.penstock.protocol.SubjectFilter;
import io.penstock.protocol.Subjects;
import io.penstock.protocol.jetstream.AckPolicy;
import io.penstock.protocol.jetstream.ConsumerAction;
import io.penstock.protocol.jetstream.ConsumerConfig;
import io.penstock.protocol.jetstream.DeliverPolicy;
import io.penstock.protocol.jetstream.GoTime;
import io.penstock.protocol.jetstream.JsError;
import io.penstock.protocol.jetstream.JsException;
import io.penstock.protocol.jetstream.RetentionPolicy;
import io.penstock.storage.StreamState;
import io.penstock.storage.StreamStore;
import java.util.Objects;
import java.util.function.LongPredicate;
import org.agrona.collections.LongArrayList;

/** What a consumer must obey with regard to the stream and the consumers that are there already. */
public final class ConsumerRules {
    private ConsumerRules() {}

    /** Checks a request that would create a consumer. */
    public static void checkNew(StreamMachine stream, ConsumerConfig config, ConsumerAction action, int limit) {
        if (action == ConsumerAction.UPDATE) {
            throw JsError.CONSUMER_DOES_NOT_EXIST.raise();
        }
        if (config.direct() || config.sourcing()) {
            return;
        }
        long counted = stream.consumers().stream().filter(StreamMachine::counts).count();
        if (limit > 0 && counted >= limit) {
            throw JsError.MAXIMUM_CONSUMERS_LIMIT.raise();
        }
        if (stream.config().retention() != RetentionPolicy.WORKQUEUE) {
            return;
        }
        if (config.ackPolicy() != AckPolicy.EXPLICIT) {
            throw JsError.CONSUMER_WQ_REQUIRES_EXPLICIT_ACK.raise();
        }
        if (config.deliverPolicy() != DeliverPolicy.ALL) {
            throw JsError.CONSUMER_WQ_CONSUMER_NOT_DELIVER_ALL.raise();
        }
        if (counted > 0) {
            if (ConsumerState.filterOf(config).isAll() && config.filterSubject().isEmpty()) {
                throw JsError.CONSUMER_WQ_MULTIPLE_UNFILTERED.raise();
            }
            checkUnique(stream, "", config);
        }
    }

    private static void checkUnique(StreamMachine stream, String except, ConsumerConfig config) {
        SubjectFilter wanted = ConsumerState.filterOf(config);
        for (ConsumerState other : stream.consumers()) {
            if (!other.name().equals(except) && StreamMachine.counts(other) && overlap(wanted, other.filter())) {
                throw JsError.CONSUMER_WQ_CONSUMER_NOT_UNIQUE.raise();
            }
        }
    }

    private static boolean overlap(SubjectFilter a, SubjectFilter b) {
        if (a.isAll() || b.isAll()) {
            return true;
        }
        return a.patterns().stream().anyMatch(p -> b.patterns().stream().anyMatch(q -> Subjects.overlap(p, q)));
    }

    /** Checks a request that names a consumer that exists. */
    public static void checkUpdate(
            StreamMachine stream, ConsumerState existing, ConsumerConfig next, ConsumerAction action) {
        ConsumerConfig now = existing.config();
        if (next.equals(now)) {
            return;
        }
        if (action == ConsumerAction.CREATE) {
            throw JsError.CONSUMER_ALREADY_EXISTS.raise();
        }
        if (stream.config().retention() == RetentionPolicy.WORKQUEUE) {
            checkUnique(stream, existing.name(), next);
        }
        same(now.deliverPolicy(), next.deliverPolicy(), "deliver policy");
        same(now.memStorage(), next.memStorage(), "storage type");
        same(now.direct(), next.direct(), "direct");
        same(now.sourcing(), next.sourcing(), "sourcing");
        same(now.optStartSeq(), next.optStartSeq(), "start sequence");
        same(now.optStartTime(), next.optStartTime(), "start time");
        same(now.ackPolicy(), next.ackPolicy(), "ack policy");
        same(now.replayPolicy(), next.replayPolicy(), "replay policy");
        same(now.idleHeartbeat(), next.idleHeartbeat(), "heart beats");
        same(now.flowControl(), next.flowControl(), "flow control");
        if (now.deliverSubject().isEmpty() && !next.deliverSubject().isEmpty()) {
            throw JsError.CONSUMER_CREATE.raise("can not update pull consumer to push based");
        }
        if (!now.deliverSubject().isEmpty() && next.deliverSubject().isEmpty()) {
            throw JsError.CONSUMER_CREATE.raise("can not update push consumer to pull based");
        }
        same(now.maxWaiting(), next.maxWaiting(), "max waiting");
        if (!next.backoff().isEmpty()
                && next.maxDeliver() != -1
                && next.backoff().size() > next.maxDeliver()) {
            throw JsError.CONSUMER_MAX_DELIVER_BACKOFF.raise();
        }
    }

    private static void same(Object now, Object next, String what) throws JsException {
        if (!Objects.equals(now, next)) {
            throw JsError.CONSUMER_CREATE.raise(what + " can not be updated");
        }
    }

    /** Puts a new consumer where its deliver policy says. */
    static void selectStart(StreamMachine stream, ConsumerState consumer) {
        StreamStore store = stream.store();
        StreamState state = store.state();
        ConsumerConfig config = consumer.config();
        long first = Math.max(1, state.firstSequence());
        long afterLast = state.lastSequence() + 1;
        switch (config.deliverPolicy()) {
            case ALL -> consumer.startAt(first);
            case NEW -> consumer.startAt(afterLast);
            case LAST -> {
                long last = store.lastSequence(consumer.filter(), Long.MAX_VALUE);
                consumer.startAt(last == 0 ? afterLast : last);
            }
            case BY_START_SEQUENCE -> consumer.startAt(Math.max(first, config.optStartSeq()));
            case BY_START_TIME -> {
                long at = store.sequenceAt(GoTime.nanos(config.optStartTime()));
                consumer.startAt(Math.min(afterLast, Math.max(first, at)));
            }
            case LAST_PER_SUBJECT -> {
                if (stream.config().maxMsgsPerSubject() == 1) {
                    consumer.startAt(first);
                } else {
                    LongArrayList sequences = new LongArrayList();
                    LongPredicate collect = sequence -> {
                        sequences.addLong(sequence);
                        return true;
                    };
                    store.lastPerSubject(consumer.filter(), Long.MAX_VALUE, collect);
                    consumer.startWith(sequences.toLongArray(), state.lastSequence());
                }
            }
        }
    }
}
