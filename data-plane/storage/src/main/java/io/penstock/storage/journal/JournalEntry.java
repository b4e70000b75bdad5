package io.penstock.storage.journal;

/**
 * An entry of a group's log.
 *
 * @param index its position, rising by one
 * @param term term of the leader that proposed it
 * @param type the engine's own kind of entry
 * @param timestampNanos time it carries, nanoseconds since the epoch
 * @param payload its bytes; not copied, nobody changes them
 * @param length how many of them count
 */
public record JournalEntry(long index, long term, byte type, long timestampNanos, byte[] payload, int length) {}
