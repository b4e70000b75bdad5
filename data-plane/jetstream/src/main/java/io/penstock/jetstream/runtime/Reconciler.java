package io.penstock.jetstream.runtime;

import io.penstock.jetstream.state.ByteWriter;
import io.penstock.jetstream.state.Phase;
import io.penstock.jetstream.state.RecordType;
import io.penstock.jetstream.state.StreamMachine;
import io.penstock.jetstream.state.StreamSet;
import io.penstock.protocol.jetstream.JetStreamJson;
import io.penstock.protocol.jetstream.JsError;
import java.util.ArrayList;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.collections.LongHashSet;

/**
 * Brings the streams of a group in line with the cluster's metadata: the leader makes what is assigned and missing,
 * changes what has an older version, removes what was taken away. Owned by the loop.
 */
final class Reconciler {
    private static final long PAUSE = 250_000_000L;

    private final Engine engine;

    /** Generations whose creation is on its way into the log. */
    private final LongHashSet creating = new LongHashSet();

    /** Streams on their way here, by generation. */
    private final Long2ObjectHashMap<Importer> importers = new Long2ObjectHashMap<>();

    /** Streams that are in another group by now and still hear publishes for it, by their id here. */
    private final Long2ObjectHashMap<HandOver> handOvers = new Long2ObjectHashMap<>();

    /** Generations whose removal is on its way into the log. */
    private final LongHashSet removing = new LongHashSet();

    /**
     * Whether this node has heard all of the metadata that was there when it began to lead. Before that it makes nothing: a
     * stream that is missing may have been here and left, which an older view does not tell.
     */
    private boolean sure;

    /** Tells one time of leading from the next. */
    private int leadership;

    Reconciler(Engine engine) {
        this.engine = engine;
    }

    /** This node leads from now on. */
    void begin() {
        all();
        if (engine.host().clustered()) {
            catchUp(leadership);
        }
    }

    private void catchUp(int asking) {
        if (asking != leadership) {
            return;
        }
        engine.host().assignments().catchUp(current -> {
            if (asking != leadership) {
                return;
            }
            if (current) {
                sure = true;
                engine.reconcile();
            } else {
                var _ = engine.loop().schedule(PAUSE, () -> catchUp(asking));
            }
        });
    }

    /** This node leads no more: what was on its way has no outcome here. */
    void forget() {
        leadership++;
        sure = false;
        creating.clear();
        removing.clear();
        importers.values().forEach(Importer::close);
        importers.clear();
        handOvers.values().forEach(HandOver::close);
        handOvers.clear();
    }

    /** Whether a stream is at work in this group, by what the metadata says. */
    boolean owns(StreamMachine stream) {
        Assignments view = engine.host().assignments();
        if (view == null) {
            return stream.phase() != Phase.IMPORTING;
        }
        if (stream.generation() == 0) {
            // From before the node joined: the metadata has yet to take it in.
            return false;
        }
        StreamAssignment assignment = view.get(stream.account(), stream.config().name());
        if (assignment == null || assignment.generation() != stream.generation()) {
            // Made by an entry of the metadata this node has not heard of yet.
            return stream.generation() > view.appliedIndex() && stream.phase() == Phase.SERVING;
        }
        return assignment.group().equals(engine.assignedGroup())
                && stream.phase() != Phase.IMPORTING
                && !outdated(assignment, stream);
    }

    /** Whether the log of this group knows of a later change of the assignment: it tells nothing of the present then. */
    private static boolean outdated(StreamAssignment assignment, StreamMachine stream) {
        return stream.version() > assignment.version();
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
            boolean known = stream.generation() > view.origin() && stream.generation() <= view.appliedIndex();
            if (known && (assignment == null || assignment.generation() != stream.generation())) {
                unassigned(stream.generation());
            } else if (known) {
                assigned(assignment);
            }
        }
        // Those that are on their way here are among them.
        new ArrayList<>(view.inGroup(engine.assignedGroup())).forEach(this::assigned);
    }

    void assigned(StreamAssignment told) {
        StreamAssignment assignment = newest(told);
        StreamMachine stream = engine.streams().byGeneration(assignment.generation());
        if (stream != null && outdated(assignment, stream)) {
            return;
        }
        Importer importer = importers.get(assignment.generation());
        boolean comes = assignment.target().equals(engine.assignedGroup());
        if (importer != null && (!comes || importer.assignment().version() != assignment.version())) {
            importers.remove(assignment.generation());
            importer.close();
            importer = null;
        }
        if (assignment.group().equals(engine.assignedGroup())) {
            stays(assignment, stream);
        } else if (comes) {
            if (stream == null) {
                create(assignment, Importer.creation(assignment, JetStreamJson.write(assignment.config())));
            } else if (stream.version() != assignment.version()) {
                // Left from an earlier move: what has happened elsewhere since is not in it.
                unassigned(assignment.generation());
                return;
            }
            if (importer == null) {
                Importer fresh = new Importer(engine, assignment);
                importers.put(assignment.generation(), fresh);
                fresh.start();
            }
        } else if (stream != null) {
            leave(assignment, stream);
        }
    }

    /** Another group has the stream. It is removed here once that one hears what is published. */
    private void leave(StreamAssignment assignment, StreamMachine stream) {
        handOvers.values().removeIf(HandOver::isOver);
        long generation = stream.generation();
        StreamRuntime runtime = engine.led(stream.id());
        if (runtime == null || !runtime.held()) {
            unassigned(generation);
        } else if (!handOvers.containsKey(stream.id())) {
            HandOver handOver =
                    new HandOver(engine, runtime, assignment.config().subjects(), () -> unassigned(generation));
            handOvers.put(stream.id(), handOver);
            handOver.start();
        }
    }

    /** What the metadata says now, which may be more than it said when it told. */
    private StreamAssignment newest(StreamAssignment told) {
        StreamAssignment now = engine.host().assignments().get(told.account(), told.stream());
        boolean newer = now != null && now.generation() == told.generation() && now.version() > told.version();
        return engine.host()
                .unanswered()
                .withRequest(newer ? now : told, engine.loop().steady());
    }

    private void stays(StreamAssignment assignment, StreamMachine stream) {
        if (stream == null) {
            StreamMachine own = foundling(assignment);
            if (own == null) {
                create(assignment);
            } else {
                adopt(assignment, own);
            }
            return;
        }
        boolean here = engine.led(stream.id()) != null;
        engine.arrived(stream);
        StreamRuntime runtime = engine.led(stream.id());
        if (!here && runtime != null) {
            runtime.arrived();
        }
        if (stream.phase() == Phase.FENCED && assignment.target().isEmpty()) {
            byte[] body = new ByteWriter(10).varint(assignment.version()).toBytes();
            engine.propose(RecordType.UNFENCE, stream.id(), body, Waiter.NOBODY);
        }
        if (stream.version() < assignment.version()) {
            update(stream, assignment);
        }
    }

    /** The stream of this assignment from before the node joined the cluster, or null. */
    private StreamMachine foundling(StreamAssignment assignment) {
        if (engine.replicated()) {
            return null;
        }
        return engine.streams().all().stream()
                .filter(s -> s.generation() == 0
                        && s.account().equals(assignment.account())
                        && s.config().equals(assignment.config()))
                .findFirst()
                .orElse(null);
    }

    private void adopt(StreamAssignment assignment, StreamMachine stream) {
        if (!creating.add(assignment.generation())) {
            return;
        }
        byte[] body = new ByteWriter(20)
                .varint(assignment.generation())
                .varint(assignment.version())
                .toBytes();
        engine.propose(RecordType.ADOPT, stream.id(), body, new Waiter() {
            @Override
            public void applied(Object result) {
                creating.remove(assignment.generation());
                engine.arrived(stream);
                answer(assignment, result);
                assigned(assignment);
            }

            @Override
            public void unknown(Throwable cause) {
                creating.remove(assignment.generation());
            }
        });
    }

    private void create(StreamAssignment assignment) {
        create(
                assignment,
                new ByteWriter(512)
                        .text(assignment.account())
                        .block(JetStreamJson.write(assignment.config()))
                        .varint(assignment.generation())
                        .varint(assignment.version())
                        .varint(assignment.created())
                        .toBytes());
    }

    private void create(StreamAssignment assignment, byte[] body) {
        if (!sure) {
            return;
        }
        if (engine.streams().incomplete()) {
            // It may be one of those whose copy is on its way. Another replica is about to lead, and has them all.
            return;
        }
        if (!creating.add(assignment.generation())) {
            return;
        }
        engine.propose(RecordType.STREAM_CREATE, 0, body, new Waiter() {
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
        engine.host().unanswered().answered(assignment);
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
        Importer importer = importers.remove(generation);
        if (importer != null) {
            importer.close();
        }
        StreamMachine stream = engine.streams().byGeneration(generation);
        if (stream == null || !removing.add(generation)) {
            return;
        }
        String name = stream.config().name();
        engine.propose(RecordType.STREAM_DELETE, stream.id(), new byte[0], new Waiter() {
            @Override
            public void applied(Object result) {
                removing.remove(generation);
                // It may be on its way here again.
                StreamAssignment now = engine.host().assignments().get(stream.account(), name);
                if (now != null
                        && now.generation() == generation
                        && now.target().equals(engine.assignedGroup())) {
                    assigned(now);
                }
            }

            @Override
            public void unknown(Throwable cause) {
                removing.remove(generation);
            }
        });
    }
}
