package io.penstock.jetstream.state;

import io.penstock.protocol.jetstream.ConsumerAction;
import io.penstock.protocol.jetstream.ConsumerConfig;
import io.penstock.protocol.jetstream.StreamConfig;
import io.penstock.storage.store.MemoryStreamStore;

/**
 * Gathers what a stream that comes from a backup is beside its messages: consumers, message ids, ends of life. Nothing of
 * the node's own streams takes part. Not thread-safe.
 */
public final class RestoredStream {
    private final StreamMachine scratch;
    private final long now;

    /**
     * @param config as the stream will have it
     * @param now nanoseconds since the epoch
     */
    public RestoredStream(String account, StreamConfig config, long now) {
        MemoryStreamStore nothing = new MemoryStreamStore();
        scratch = new StreamMachine(
                0, account, now, config.toBuilder().firstSeq(0).build(), nothing, nothing, false);
        this.now = now;
    }

    /**
     * Takes a consumer in.
     *
     * @param limit how many there may be, 0 for any number
     * @throws io.penstock.protocol.jetstream.JsException when it does not fit the stream or the others
     * @throws IllegalArgumentException when its progress makes no sense
     */
    public void consumer(String name, ConsumerConfig config, ConsumerProgress progress, long lastSequence, int limit) {
        if (scratch.consumer(name) != null) {
            throw new IllegalArgumentException("consumer " + name + " is in the archive twice");
        }
        ConsumerState state = scratch.putConsumer(name, config, ConsumerAction.CREATE, now, limit);
        state.take(progress.within(lastSequence, config.ackPolicy()));
    }

    /** Notes what a message's headers say of it; sequences rise. */
    public void message(long sequence, long timestampNanos, byte[] headers) {
        scratch.restored(sequence, timestampNanos, headers, now);
    }

    /** The body of the record that makes the stream whole, once its messages are there. */
    public byte[] end(StreamConfig config, long firstSequence, long lastSequence, long lastTimestampNanos) {
        scratch.configured(config);
        ByteWriter out = new ByteWriter(4096);
        out.varint(firstSequence).varint(lastSequence).varint(lastTimestampNanos);
        // Nothing was sent that is missing here.
        out.varint(0);
        return out.block(scratch.encodeWhole()).bool(true).toBytes();
    }

    /** The body of a record that brings messages: how one message is added to it. */
    public static void addMessage(
            ByteWriter out, long sequence, long timestampNanos, String subject, byte[] body, int headers) {
        out.varint(sequence).varint(timestampNanos).latin(subject);
        out.varint(headers).raw(body, 0, headers);
        out.varint(body.length - headers).raw(body, headers, body.length - headers);
    }

    /** The body of the record that makes the stream, not to be seen yet. */
    public static byte[] creation(String account, byte[] config, long created) {
        return new ByteWriter(512)
                .text(account)
                .block(config)
                .varint(0)
                .varint(0)
                .varint(created)
                .bool(true)
                .toBytes();
    }
}
