package io.penstock.storage;

/**
 * The messages of one subject in a stream.
 *
 * @param messages how many are held
 * @param firstSequence the first of them
 * @param lastSequence the last of them
 */
public record SubjectState(long messages, long firstSequence, long lastSequence) {}
