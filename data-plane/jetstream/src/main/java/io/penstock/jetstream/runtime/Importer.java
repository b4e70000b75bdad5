package io.penstock.jetstream.runtime;

import io.penstock.consensus.GroupLoop;
import io.penstock.jetstream.state.ByteWriter;
import io.penstock.jetstream.state.Phase;
import io.penstock.jetstream.state.RecordType;
import io.penstock.jetstream.state.StreamMachine;
import io.penstock.jetstream.state.StreamSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings a stream from another group into this one: copies while the source serves, has it fenced when little is left,
 * takes the rest, and tells the metadata. Runs at the leader of the target; the next leader goes on where the log ends.
 * Owned by the loop.
 */
final class Importer {
    private static final Logger LOG = LoggerFactory.getLogger(Importer.class);
    private static final long PAUSE = 250_000_000L;
    private static final long REMINDER = 1_000_000_000L;

    /** The source is fenced when a piece is shorter than this. */
    private static final int NEARLY_ALL = 64 << 10;

    private static final int MOST = 64 << 20;

    private final Engine engine;
    private final StreamAssignment assignment;
    private final Whereabouts source;
    private boolean fenced;
    private boolean closed;
    private GroupLoop.Timer timer;

    Importer(Engine engine, StreamAssignment assignment) {
        this.engine = engine;
        this.assignment = assignment;
        this.source = new Whereabouts(engine.host());
    }

    void start() {
        LOG.info(
                "stream {}/{} comes from group {} to {}",
                assignment.account(),
                assignment.stream(),
                assignment.group(),
                assignment.target());
        step();
    }

    /** The move is over, or this node leads no more. */
    void close() {
        closed = true;
        if (timer != null) {
            timer.cancel();
        }
    }

    private void later(long nanos) {
        if (!closed) {
            timer = engine.loop().schedule(nanos, this::step);
        }
    }

    private void step() {
        if (closed) {
            return;
        }
        StreamMachine stream = engine.streams().byGeneration(assignment.generation());
        if (stream == null) {
            later(PAUSE);
        } else if (stream.phase() == Phase.IMPORTING) {
            ask(Exporter.MESSAGES, stream.store().state().lastSequence(), this::messages);
        } else {
            engine.host()
                    .assignments()
                    .moved(assignment.account(), assignment.stream(), assignment.generation(), assignment.version());
            later(REMINDER);
        }
    }

    private interface Answer {
        void take(byte[] answer);
    }

    private void ask(int question, long number, Answer answer) {
        String node = source.leader(assignment.group());
        byte[] request = Exporter.question(question, assignment.group(), assignment.generation(), number);
        var _ = engine.host()
                .ask(node, request)
                .whenComplete((bytes, failure) -> engine.loop().execute(() -> {
                    if (closed) {
                        return;
                    }
                    if (failure == null) {
                        answer.take(bytes);
                    } else {
                        LOG.debug("{} gives nothing of stream {}: {}", node, assignment.stream(), failure.toString());
                        fenced = false;
                        source.wrong();
                        later(PAUSE);
                    }
                }));
    }

    private void messages(byte[] piece) {
        if (piece.length > 0) {
            propose(RecordType.IMPORT, piece, () -> {
                if (piece.length < NEARLY_ALL && !fenced) {
                    fence();
                } else {
                    step();
                }
            });
        } else if (fenced) {
            ask(Exporter.REST, 0, this::rest);
        } else {
            fence();
        }
    }

    private void fence() {
        ask(Exporter.FENCE, assignment.version(), done -> {
            fenced = true;
            step();
        });
    }

    private void rest(byte[] rest) {
        if (rest.length > MOST) {
            LOG.error(
                    "stream {} cannot be moved: {} bytes of consumers and message ids are more than {}",
                    assignment.stream(),
                    rest.length,
                    MOST);
            later(REMINDER * 60);
            return;
        }
        propose(RecordType.IMPORT_END, rest, this::step);
    }

    private void propose(RecordType type, byte[] body, Runnable next) {
        StreamMachine stream = engine.streams().byGeneration(assignment.generation());
        if (stream == null) {
            later(PAUSE);
            return;
        }
        engine.propose(type, stream.id(), body, new Waiter() {
            @Override
            public void applied(Object result) {
                if (closed) {
                    return;
                }
                if (result instanceof StreamSet.Refused refused) {
                    LOG.error("stream {} cannot be moved: {}", assignment.stream(), refused.error());
                    later(REMINDER * 10);
                } else {
                    engine.loop().execute(next);
                }
            }

            @Override
            public void unknown(Throwable cause) {
                later(PAUSE);
            }
        });
    }

    /** The body of the record that makes the stream here. */
    static byte[] creation(StreamAssignment assignment, byte[] config) {
        return new ByteWriter(512)
                .text(assignment.account())
                .block(config)
                .varint(assignment.generation())
                .varint(assignment.version())
                .varint(assignment.created())
                .bool(true)
                .toBytes();
    }

    StreamAssignment assignment() {
        return assignment;
    }
}
