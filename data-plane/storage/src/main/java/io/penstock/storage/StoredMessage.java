package io.penstock.storage;

/**
 * A message as a stream keeps it. The arrays are shared, not copied: nobody changes them.
 *
 * @param sequence position in the stream, from 1
 * @param timestampNanos time of storing, nanoseconds since the epoch, as the log entry carried it
 * @param subject the subject, wire bytes as characters
 * @param headers the whole header block from {@code NATS/1.0} to the blank line; length 0 when there is none
 * @param payload the body; may be empty
 */
public record StoredMessage(long sequence, long timestampNanos, String subject, byte[] headers, byte[] payload) {}
