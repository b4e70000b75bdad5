package io.penstock.jetstream.runtime;

import io.penstock.broker.ServerIdentity;
import io.penstock.consensus.GroupLoop;
import io.penstock.jetstream.BatchLimits;
import io.penstock.jetstream.state.BatchPart;
import io.penstock.jetstream.state.BatchPart.Commit;
import io.penstock.jetstream.state.Headers;
import io.penstock.protocol.jetstream.ApiError;
import io.penstock.protocol.jetstream.JsError;
import io.penstock.protocol.jetstream.StreamConfig;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/**
 * The atomic batches of one stream that are not committed yet. They are in the memory of the stream's leader and nowhere
 * else: whoever leads next knows nothing of them, and their publishers hear that the batch is incomplete.
 *
 * <p>Owned by the loop.
 */
final class OpenBatches {
    private static final int MAX_ID_BYTES = 64;

    /** Why a batch was given up, as advisories spell it. */
    private enum Reason {
        /** Nothing came for too long. */
        TIMEOUT("timeout"),
        /** It has more messages, or more bytes, than a batch may have. */
        LARGE("large"),
        /** A message is missing. */
        INCOMPLETE("incomplete"),
        /** It asks for a level of the API this server does not have. */
        UNSUPPORTED("unsupported");

        private final String word;

        Reason(String word) {
            this.word = word;
        }
    }

    private static final class Batch {
        final String id;
        final List<PublishCommand> messages = new ArrayList<>();
        long bytes;
        long touched;

        Batch(String id) {
            this.id = id;
        }
    }

    private record Refusal(ApiError error, Reason reason) {}

    private final StreamRuntime stream;
    private final GroupLoop loop;
    private final BatchLimits limits;

    /** By id, the one that has rested longest first. */
    private final LinkedHashMap<String, Batch> open = new LinkedHashMap<>();

    private GroupLoop.Timer timer;

    OpenBatches(StreamRuntime stream, GroupLoop loop, BatchLimits limits) {
        this.stream = stream;
        this.loop = loop;
        this.limits = limits;
    }

    /** Takes a message of a batch. */
    void take(PublishCommand command) {
        BatchPart part = command.batch();
        ApiError refused = alone(command, part);
        Batch batch = refused == null ? open.remove(part.id()) : null;
        if (refused == null && batch == null) {
            refused = begins(part);
        }
        if (refused != null) {
            refuse(command, refused);
            return;
        }
        if (batch == null) {
            batch = new Batch(part.id());
            room().opened();
        }
        Refusal refusal = within(batch, command, part);
        if (refusal != null) {
            end(batch);
            if (refusal.reason() != null) {
                advise(batch, refusal.reason());
            }
            refuse(command, refusal.error());
        } else if (part.commit() == Commit.NONE) {
            stage(batch, command);
        } else {
            commit(batch, command, part);
        }
    }

    private BatchRoom room() {
        return stream.account().batches();
    }

    private void refuse(PublishCommand command, ApiError error) {
        command.drop();
        stream.refuse(command.reply(), error);
    }

    /** What stands against the message whatever batch it is of; that batch goes on. */
    private ApiError alone(PublishCommand command, BatchPart part) {
        StreamConfig config = stream.machine().config();
        if (config.sealed()) {
            return JsError.STREAM_SEALED.of();
        }
        ApiError full = Resources.checkPublish(stream, command.cost());
        if (full != null) {
            return full;
        }
        long size = (long) command.headersLength() + command.payloadLength();
        if (config.maxMsgSize() >= 0 && size > config.maxMsgSize()) {
            return JsError.STREAM_MESSAGE_EXCEEDS_MAXIMUM.of();
        }
        if (!config.allowAtomic()) {
            return JsError.ATOMIC_PUBLISH_DISABLED.of();
        }
        if (part.idBytes() > MAX_ID_BYTES) {
            return JsError.ATOMIC_PUBLISH_INVALID_BATCH_ID.of();
        }
        return part.sequence() == BatchPart.MISSING ? JsError.ATOMIC_PUBLISH_MISSING_SEQ.of() : null;
    }

    /** What stands against a new batch. */
    private ApiError begins(BatchPart part) {
        if (part.sequence() != 1) {
            return stored(part) > limits.maxMessages()
                    ? JsError.ATOMIC_PUBLISH_TOO_LARGE_BATCH.of(limits.maxMessages())
                    : JsError.ATOMIC_PUBLISH_INCOMPLETE_BATCH.of();
        }
        boolean admitted = open.size() < limits.perStream() && room().admitsBatch();
        return admitted ? null : JsError.ATOMIC_PUBLISH_TOO_MANY_INFLIGHT.of();
    }

    /** How many messages the batch has with this one. */
    private static long stored(BatchPart part) {
        return part.commit() == Commit.END_OF_BATCH ? part.sequence() - 1 : part.sequence();
    }

    /** What stands against the message in its batch, which ends with it. */
    private Refusal within(Batch batch, PublishCommand command, BatchPart part) {
        if (part.commit() == Commit.INVALID) {
            return new Refusal(JsError.ATOMIC_PUBLISH_INVALID_BATCH_COMMIT.of(), null);
        }
        if (part.requiredLevel() == BatchPart.MISSING || part.requiredLevel() > ServerIdentity.API_LEVEL) {
            return new Refusal(JsError.REQUIRED_API_LEVEL.of(), Reason.UNSUPPORTED);
        }
        if (part.sequence() != batch.messages.size() + 1L || stored(part) == 0) {
            return new Refusal(JsError.ATOMIC_PUBLISH_INCOMPLETE_BATCH.of(), Reason.INCOMPLETE);
        }
        if (stored(part) > limits.maxMessages()) {
            return new Refusal(JsError.ATOMIC_PUBLISH_TOO_LARGE_BATCH.of(limits.maxMessages()), Reason.LARGE);
        }
        if (part.commit() == Commit.END_OF_BATCH) {
            return null;
        }
        if (batch.bytes + command.cost() > limits.maxBytes()) {
            return new Refusal(JsError.ATOMIC_PUBLISH_TOO_LARGE_BATCH.of(limits.maxBytes()), Reason.LARGE);
        }
        return room().admits(command.cost())
                ? null
                : new Refusal(JsError.ATOMIC_PUBLISH_TOO_MANY_INFLIGHT.of(), Reason.LARGE);
    }

    private void add(Batch batch, PublishCommand command) {
        batch.messages.add(command);
        batch.bytes += command.cost();
        room().take(command.cost());
    }

    private void stage(Batch batch, PublishCommand command) {
        add(batch, command);
        batch.touched = loop.steady();
        open.put(batch.id, batch);
        watch();
        if (command.reply() != null && !stream.machine().config().noAck()) {
            stream.account().send(command.reply(), null, Headers.NONE, Headers.NONE);
        }
    }

    private void commit(Batch batch, PublishCommand command, BatchPart part) {
        if (part.commit() == Commit.STORE) {
            add(batch, command);
        }
        room().closed();
        stream.commit(BatchCommit.of(stream, batch.id, batch.messages, command, batch.bytes));
    }

    private void end(Batch batch) {
        batch.messages.forEach(PublishCommand::drop);
        room().give(batch.bytes);
        room().closed();
    }

    private void advise(Batch batch, Reason reason) {
        stream.account().advisories().batchAbandoned(stream.name(), batch.id, reason.word);
    }

    // --- time -------------------------------------------------------------------------------------------------

    private void watch() {
        if (timer == null && !open.isEmpty()) {
            long due = open.firstEntry().getValue().touched + limits.timeoutNanos();
            timer = loop.schedule(Math.max(1, due - loop.steady()), this::rested);
        }
    }

    private void rested() {
        timer = null;
        long now = loop.steady();
        while (!open.isEmpty() && open.firstEntry().getValue().touched + limits.timeoutNanos() <= now) {
            Batch batch = open.pollFirstEntry().getValue();
            end(batch);
            advise(batch, Reason.TIMEOUT);
        }
        watch();
    }

    /** Gives all of them up; nobody is told. */
    void clear() {
        open.values().forEach(this::end);
        open.clear();
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }

    int size() {
        return open.size();
    }
}
