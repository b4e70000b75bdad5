package io.penstock.jetstream.state;

import io.penstock.protocol.jetstream.ConsumerConfig;

/**
 * Hears what happens to a stream while its state is applied: how the leader learns what to deliver. Calls come on the
 * loop, between the changes, and must not change the stream.
 */
public interface StreamEvents {
    /** Hears nothing: replay, followers. */
    StreamEvents NONE = new StreamEvents() {};

    /** Whether {@link #removed} needs to know the subject of this message. */
    default boolean wantsSubject(long sequence) {
        return false;
    }

    /** A message was stored and is held. */
    default void stored(long sequence, String subject) {}

    /** Sequence was used up without holding a message. */
    default void skipped(long sequence) {}

    /** One message went. {@code subject} is null when it is not known. */
    default void removed(long sequence, String subject) {}

    /** Many messages went at once. */
    default void purged() {}

    /** A consumer came into being. */
    default void consumerAdded(ConsumerState state) {}

    /** A consumer's configuration changed. */
    default void consumerChanged(ConsumerState state, ConsumerConfig before) {}

    /** A consumer was set back. */
    default void consumerReset(ConsumerState state) {}

    /** A consumer is gone. */
    default void consumerRemoved(ConsumerState state) {}

    /** The stream was fenced, or goes on after all. */
    default void phaseChanged() {}

    /** The stream's configuration changed. */
    default void reconfigured() {}
}
