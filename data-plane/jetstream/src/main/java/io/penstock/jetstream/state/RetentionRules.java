package io.penstock.jetstream.state;

import io.penstock.protocol.SubjectFilter;
import io.penstock.protocol.jetstream.AckPolicy;
import io.penstock.protocol.jetstream.DiscardPolicy;
import io.penstock.protocol.jetstream.RetentionPolicy;
import io.penstock.protocol.jetstream.StreamConfig;
import io.penstock.storage.StoredMessage;
import io.penstock.storage.StreamState;
import io.penstock.storage.StreamStore;
import io.penstock.storage.SubjectState;

/** Removes messages: at limits, at the end of their time, when nobody waits for them any more. */
final class RetentionRules {
    /** Messages one tick removes at most; a fixed number, so that every replica stops at the same one. */
    private static final int PER_TICK = 10_000;

    private RetentionRules() {}

    /** Applies the limits after a message was stored or the configuration changed. */
    static void enforceLimits(StreamMachine stream, String subject) {
        StreamConfig config = stream.config();
        StreamStore store = stream.store();
        if (config.maxMsgsPerSubject() > 0 && subject != null) {
            SubjectState held = store.subject(subject);
            while (held != null && held.messages() > config.maxMsgsPerSubject()) {
                stream.remove(held.firstSequence(), subject, false);
                held = store.subject(subject);
            }
        }
        // Where new messages are refused, those that are there stay, though the limits were lowered.
        while (config.discard() == DiscardPolicy.OLD && exceeds(config, store.state())) {
            stream.remove(store.state().firstSequence(), null, false);
        }
    }

    /** Applies all limits, to messages that came under others. */
    static void enforceAll(StreamMachine stream) {
        if (stream.config().maxMsgsPerSubject() > 0) {
            enforcePerSubject(stream);
        }
        enforceLimits(stream, null);
    }

    private static boolean exceeds(StreamConfig config, StreamState state) {
        return state.messages() > 0
                && ((config.maxMsgs() > 0 && state.messages() > config.maxMsgs())
                        || (config.maxBytes() > 0 && state.bytes() > config.maxBytes()));
    }

    /** Applies the limit per subject to every subject, after it was lowered. */
    static void enforcePerSubject(StreamMachine stream) {
        java.util.List<String> over = new java.util.ArrayList<>();
        stream.store().subjects(SubjectFilter.ALL, (subject, state) -> {
            if (state.messages() > stream.config().maxMsgsPerSubject()) {
                over.add(subject);
            }
            return true;
        });
        over.forEach(subject -> enforceLimits(stream, subject));
    }

    /** Whether some consumer waits for messages on this subject. */
    static boolean hasInterest(StreamMachine stream, String subject) {
        for (ConsumerState consumer : stream.consumers()) {
            if (consumer.filter().matches(subject)) {
                return true;
            }
        }
        return false;
    }

    /** A consumer is done with a message. */
    static void acknowledged(StreamMachine stream, long sequence) {
        switch (stream.config().retention()) {
            case LIMITS -> {}
            case WORKQUEUE -> stream.remove(sequence, null, false);
            case INTEREST -> {
                if (!needed(stream, sequence)) {
                    stream.remove(sequence, null, false);
                }
            }
        }
    }

    /** A consumer handed a message out for good; it counts as acknowledged when the consumer asks for no acks. */
    static void delivered(StreamMachine stream, ConsumerState consumer, long sequence) {
        if (consumer.config().ackPolicy() == AckPolicy.NONE) {
            acknowledged(stream, sequence);
        }
    }

    private static boolean needed(StreamMachine stream, long sequence) {
        String subject = null;
        for (ConsumerState consumer : stream.consumers()) {
            if (!consumer.needs(sequence)) {
                continue;
            }
            if (consumer.filter().isAll()) {
                return true;
            }
            if (subject == null) {
                StoredMessage message = stream.store().load(sequence);
                if (message == null) {
                    return false;
                }
                subject = message.subject();
            }
            if (consumer.filter().matches(subject)) {
                return true;
            }
        }
        return false;
    }

    /** Interest changed: removes what nobody waits for any more. */
    static void sweepInterest(StreamMachine stream) {
        if (stream.config().retention() != RetentionPolicy.INTEREST) {
            return;
        }
        StreamStore store = stream.store();
        if (stream.consumers().isEmpty()) {
            stream.purge(SubjectFilter.ALL, 0, 0);
            return;
        }
        StreamState state = store.state();
        for (long sequence = store.nextSequence(SubjectFilter.ALL, state.firstSequence());
                sequence > 0;
                sequence = store.nextSequence(SubjectFilter.ALL, sequence + 1)) {
            if (!needed(stream, sequence)) {
                stream.remove(sequence, null, false);
            }
        }
    }

    /** When the next message ends, nanoseconds since the epoch; {@link Long#MAX_VALUE} when none does. */
    static long nextExpiry(StreamMachine stream) {
        long next = stream.expiry().next();
        if (stream.config().maxAge() > 0) {
            StreamState state = stream.store().state();
            if (state.messages() > 0) {
                long oldest = oldestWithAge(stream, state);
                next = Math.min(
                        next,
                        oldest == Long.MAX_VALUE
                                ? oldest
                                : oldest + stream.config().maxAge());
            }
        }
        return next;
    }

    private static long oldestWithAge(StreamMachine stream, StreamState state) {
        if (!stream.expiry().isEndless(state.firstSequence())) {
            return state.firstTimestampNanos();
        }
        StoredMessage message = stream.store().next(SubjectFilter.ALL, state.firstSequence());
        while (message != null && stream.expiry().isEndless(message.sequence())) {
            message = stream.store().next(SubjectFilter.ALL, message.sequence() + 1);
        }
        return message == null ? Long.MAX_VALUE : message.timestampNanos();
    }

    /** Removes what has come to its end by {@code now}. */
    static void expire(StreamMachine stream, long now) {
        int left = PER_TICK;
        for (long sequence = stream.expiry().poll(now);
                sequence > 0 && left > 0;
                sequence = stream.expiry().poll(now)) {
            end(stream, sequence, now);
            left--;
        }
        if (stream.config().maxAge() <= 0) {
            return;
        }
        long horizon = now - stream.config().maxAge();
        long from = stream.store().state().firstSequence();
        while (left > 0) {
            StoredMessage message = stream.store().next(SubjectFilter.ALL, from);
            if (message == null || message.timestampNanos() > horizon) {
                return;
            }
            if (!stream.expiry().isEndless(message.sequence())) {
                end(stream, message, now);
                left--;
            }
            from = message.sequence() + 1;
        }
    }

    private static void end(StreamMachine stream, long sequence, long now) {
        StoredMessage message = stream.store().load(sequence);
        if (message != null) {
            end(stream, message, now);
        }
    }

    private static void end(StreamMachine stream, StoredMessage message, long now) {
        stream.remove(message.sequence(), message.subject(), false);
        long markerTtl = stream.config().subjectDeleteMarkerTtl();
        if (markerTtl > 0
                && stream.store().subject(message.subject()) == null
                && Headers.value(message.headers(), "Nats-Marker-Reason") == null) {
            stream.storeMarker(message.subject(), markerTtl, now);
        }
    }
}
