package io.penstock.storage;

/**
 * What a stream holds at one moment.
 *
 * @param messages messages held
 * @param bytes bytes by the stream's accounting rule (see {@link StreamStore#sizeOf})
 * @param firstSequence sequence of the first message held; last + 1 when none is
 * @param firstTimestampNanos its time, 0 when none is held
 * @param lastSequence the last sequence ever given out, held or not
 * @param lastTimestampNanos time of the last message stored, 0 before the first
 * @param subjects distinct subjects held
 * @param deleted sequences missing between first and last
 */
public record StreamState(
        long messages,
        long bytes,
        long firstSequence,
        long firstTimestampNanos,
        long lastSequence,
        long lastTimestampNanos,
        long subjects,
        long deleted) {}
