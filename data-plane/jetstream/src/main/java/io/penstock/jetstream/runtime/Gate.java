package io.penstock.jetstream.runtime;

import io.penstock.jetstream.state.StreamSet;
import io.penstock.protocol.jetstream.JsError;
import java.util.ArrayDeque;

/**
 * Keeps messages from the log of a group while its node has no room for them. On a disk that is nearly full they are
 * refused, before the disk itself refuses what must not be refused: acknowledgements, deletes, checkpoints. While
 * checkpoints lag they wait here, in order, and the bounds of what may wait for a stream turn away the rest. Owned by the
 * loop.
 */
final class Gate {
    private static final long LOOK_NANOS = 20_000_000L;

    private final Engine engine;
    private final Room room;
    private final ArrayDeque<Incoming> waiting = new ArrayDeque<>();

    Gate(Engine engine, Room room) {
        this.engine = engine;
        this.room = room;
    }

    /** Whether the message may go into the log now. Otherwise it has been refused, or comes again by itself. */
    boolean passes(Incoming command) {
        if (room.full()) {
            command.applied(new StreamSet.Refused(JsError.STORAGE_RESOURCES_EXCEEDED.of()));
            return false;
        }
        if (waiting.isEmpty() && !room.behind()) {
            return true;
        }
        if (waiting.isEmpty()) {
            var _ = engine.loop().schedule(LOOK_NANOS, this::look);
        }
        waiting.add(command);
        return false;
    }

    private void look() {
        if (waiting.isEmpty()) {
            return;
        }
        if (room.behind()) {
            var _ = engine.loop().schedule(LOOK_NANOS, this::look);
            return;
        }
        // Through their streams again: much may have changed meanwhile.
        ArrayDeque<Incoming> due = new ArrayDeque<>(waiting);
        waiting.clear();
        due.forEach(Incoming::run);
    }

    /** This node leads no more: nobody here knows what will become of what waits. */
    void abandon(Throwable cause) {
        ArrayDeque<Incoming> dropped = new ArrayDeque<>(waiting);
        waiting.clear();
        dropped.forEach(command -> command.notProposed(cause));
    }
}
