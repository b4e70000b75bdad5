package io.penstock.jetstream.runtime;

import io.penstock.jetstream.state.ByteWriter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the leader of a group still does for a stream that another group has by now: it goes on hearing what is published
 * until the other is sure to hear it, and passes that on. So there is no moment at which nobody hears. Owned by the loop.
 */
final class HandOver {
    private static final Logger LOG = LoggerFactory.getLogger(HandOver.class);
    private static final long PAUSE = 50_000_000L;

    /** How long the other nodes have to hear of the new leader's interest before this one's ends. */
    private static final long SETTLE = 250_000_000L;

    /** How long what was heard before the end may be on its way to the loop. */
    private static final long LINGER = 250_000_000L;

    /** Publishes are let go when nobody took them for so long. */
    private static final long PATIENCE = 10_000_000_000L;

    private static final int PIECE = 256 << 10;

    /** The other side's answer when it has taken what it was passed. */
    static final byte TAKEN = 1;

    private final Engine engine;
    private final StreamRuntime stream;
    private final List<String> subjects;
    private final long generation;
    private final Whereabouts whereabouts;

    private final Runnable leave;

    private final ArrayDeque<PublishCommand> waiting = new ArrayDeque<>();

    /** What is being passed on, empty when nothing is. */
    private List<PublishCommand> passing = List.of();

    private boolean arrived;
    private boolean busy;
    private boolean gone;
    private boolean ending;
    private boolean closed;
    private long refusedSince = -1;

    /**
     * @param subjects what the stream takes in the other group
     * @param leave has the stream removed from this group
     */
    HandOver(Engine engine, StreamRuntime stream, List<String> subjects, Runnable leave) {
        this.engine = engine;
        this.stream = stream;
        this.subjects = subjects;
        this.generation = stream.machine().generation();
        this.whereabouts = new Whereabouts(engine.host());
        this.leave = leave;
    }

    void start() {
        stream.leave(this, subjects);
        askWhetherItArrived();
    }

    /** Whether nothing is left to be passed on. */
    boolean isOver() {
        return closed;
    }

    /** This node leads no more: nobody here knows what becomes of the stream. */
    void close() {
        closed = true;
        waiting.forEach(Incoming::drop);
        waiting.clear();
        passing.forEach(Incoming::drop);
        passing = List.of();
    }

    /** Where the stream is by now, empty when it is nowhere else. */
    private String group() {
        StreamAssignment now = engine.host().assignments().get(stream.account().name(), stream.name());
        boolean elsewhere =
                now != null && now.generation() == generation && !now.group().equals(engine.assignedGroup());
        return elsewhere ? now.group() : "";
    }

    private void askWhetherItArrived() {
        String group = group();
        if (closed || gone || group.isEmpty()) {
            return;
        }
        byte[] question = Exporter.question(Exporter.ARRIVED, group, generation, 0);
        var _ = engine.host()
                .ask(whereabouts.leader(group), question)
                .whenComplete((answer, failure) -> engine.loop().execute(() -> {
                    if (failure == null) {
                        arrived();
                    } else {
                        whereabouts.wrong();
                        var _ = engine.loop().schedule(PAUSE, this::askWhetherItArrived);
                    }
                }));
    }

    private void arrived() {
        if (closed) {
            return;
        }
        arrived = true;
        pass();
        var _ = engine.loop().schedule(SETTLE, () -> {
            if (!closed && !gone) {
                leave.run();
            }
        });
    }

    /** A message came that is for the other group. */
    void take(Incoming command) {
        if (command instanceof PublishCommand message && message.batch() == null && !closed) {
            waiting.add(message);
            pass();
        } else {
            command.missed();
        }
    }

    /** The stream is gone from this group. */
    void gone() {
        gone = true;
        if (arrived) {
            var _ = engine.loop().schedule(LINGER, () -> {
                ending = true;
                pass();
            });
        } else {
            closed = true;
            waiting.forEach(Incoming::missed);
            waiting.clear();
        }
    }

    private void pass() {
        if (!arrived || busy || closed) {
            return;
        }
        if (passing.isEmpty()) {
            passing = next();
        }
        if (passing.isEmpty() && !ending) {
            return;
        }
        String group = group();
        if (group.isEmpty()) {
            // It was taken off the cluster meanwhile.
            close();
            return;
        }
        byte[] head = Exporter.question(Exporter.PASS_ON, group, generation, 0);
        ByteWriter out = new ByteWriter(1024).raw(head, 0, head.length).bool(ending && waiting.isEmpty());
        passing.forEach(message -> Arrival.write(out, message));
        busy = true;
        var _ = engine.host()
                .ask(whereabouts.leader(group), out.toBytes())
                .whenComplete((answer, failure) -> engine.loop().execute(() -> answered(answer, failure)));
    }

    private List<PublishCommand> next() {
        List<PublishCommand> piece = new ArrayList<>();
        long bytes = 0;
        while (!waiting.isEmpty() && bytes < PIECE) {
            PublishCommand message = waiting.remove();
            bytes += message.cost();
            piece.add(message);
        }
        return piece;
    }

    private void answered(byte[] answer, Throwable failure) {
        busy = false;
        if (closed) {
            return;
        }
        if (failure == null && answer.length > 0 && answer[0] != TAKEN) {
            // Surely not taken: whoever leads there now may take it.
            whereabouts.wrong();
            long now = engine.loop().steady();
            refusedSince = refusedSince < 0 ? now : refusedSince;
            if (now - refusedSince < PATIENCE) {
                var _ = engine.loop().schedule(PAUSE, this::pass);
                return;
            }
        }
        if (failure != null) {
            // It may have been taken: nobody is told, as when a leader is lost.
            LOG.info(
                    "{} publishes to stream {} have no outcome: {}", passing.size(), stream.name(), failure.toString());
        }
        refusedSince = -1;
        passing.forEach(Incoming::drop);
        passing = List.of();
        if (ending && waiting.isEmpty()) {
            closed = true;
        } else {
            pass();
        }
    }
}
