package io.penstock.jetstream.runtime;

import io.penstock.jetstream.state.ByteWriter;
import io.penstock.jetstream.state.RecordType;
import io.penstock.jetstream.state.StreamMachine;
import io.penstock.jetstream.state.StreamSet;
import io.penstock.protocol.jetstream.JetStreamJson;
import io.penstock.protocol.jetstream.JsError;
import java.util.ArrayList;
import org.agrona.collections.LongHashSet;

/**
 * Brings the streams of a group in line with the cluster's metadata: the leader makes what is assigned and missing,
 * changes what has an older version, removes what was taken away. Owned by the loop.
 */
final class Reconciler {
    private final Engine engine;

    /** Generations whose creation is on its way into the log. */
    private final LongHashSet creating = new LongHashSet();

    /** Generations whose removal is on its way into the log. */
    private final LongHashSet removing = new LongHashSet();

    Reconciler(Engine engine) {
        this.engine = engine;
    }

    /** This node leads no more: what was on its way has no outcome here. */
    void forget() {
        creating.clear();
        removing.clear();
    }

    /** Looks at every stream, as a new leader does. */
    void all() {
        Assignments view = engine.host().assignments();
        if (view == null) {
            return;
        }
        for (StreamMachine stream : new ArrayList<>(engine.streams().all())) {
            StreamAssignment assignment =
                    view.get(stream.account(), stream.config().name());
            boolean known = stream.generation() > 0 && stream.generation() <= view.appliedIndex();
            if (known && (assignment == null || assignment.generation() != stream.generation())) {
                unassigned(stream.generation());
            }
        }
        new ArrayList<>(view.inGroup(engine.assignedGroup())).forEach(this::assigned);
    }

    void assigned(StreamAssignment assignment) {
        if (!assignment.group().equals(engine.assignedGroup())) {
            return;
        }
        StreamMachine stream = engine.streams().byGeneration(assignment.generation());
        if (stream == null) {
            create(assignment);
        } else if (stream.version() < assignment.version()) {
            update(stream, assignment);
        }
    }

    private void create(StreamAssignment assignment) {
        if (!creating.add(assignment.generation())) {
            return;
        }
        ByteWriter body = new ByteWriter(512)
                .text(assignment.account())
                .block(JetStreamJson.write(assignment.config()))
                .varint(assignment.generation())
                .varint(assignment.version())
                .varint(assignment.created());
        engine.propose(RecordType.STREAM_CREATE, 0, body.toBytes(), new Waiter() {
            @Override
            public void applied(Object result) {
                creating.remove(assignment.generation());
                answer(assignment, result);
                // Changed meanwhile: the version of now is what counts.
                StreamAssignment now = engine.host().assignments().get(assignment.account(), assignment.stream());
                if (now != null && now.version() > assignment.version()) {
                    assigned(now);
                }
            }

            @Override
            public void unknown(Throwable cause) {
                creating.remove(assignment.generation());
            }
        });
    }

    private void update(StreamMachine stream, StreamAssignment assignment) {
        ByteWriter body = new ByteWriter(512)
                .block(JetStreamJson.write(assignment.config()))
                .varint(assignment.version());
        engine.propose(RecordType.STREAM_UPDATE, stream.id(), body.toBytes(), result -> answer(assignment, result));
    }

    private void answer(StreamAssignment assignment, Object result) {
        if (assignment.request() == null) {
            return;
        }
        StreamMachine stream = engine.streams().byGeneration(assignment.generation());
        StreamRuntime runtime = stream == null ? null : engine.led(stream.id());
        AccountRuntime account = engine.host().account(assignment.account());
        switch (result) {
            case StreamSet.Refused refused -> engine.host().api().assigned(account, assignment, null, refused.error());
            case null, default -> {
                if (runtime != null) {
                    engine.host().api().assigned(account, assignment, runtime, null);
                } else if (engine.leading()) {
                    engine.host().api().assigned(account, assignment, null, JsError.STREAM_NOT_FOUND.of());
                }
            }
        }
    }

    void unassigned(long generation) {
        StreamMachine stream = engine.streams().byGeneration(generation);
        if (stream == null || !removing.add(generation)) {
            return;
        }
        engine.propose(RecordType.STREAM_DELETE, stream.id(), new byte[0], new Waiter() {
            @Override
            public void applied(Object result) {
                removing.remove(generation);
            }

            @Override
            public void unknown(Throwable cause) {
                removing.remove(generation);
            }
        });
    }
}
