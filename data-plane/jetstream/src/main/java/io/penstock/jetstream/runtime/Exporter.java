package io.penstock.jetstream.runtime;

import io.penstock.jetstream.state.ByteReader;
import io.penstock.jetstream.state.ByteWriter;
import io.penstock.jetstream.state.Phase;
import io.penstock.jetstream.state.StreamCopy;
import io.penstock.jetstream.state.StreamMachine;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Answers what other nodes ask of this one's replicas. For a stream that moves, this is the side that has it: hands out messages while it serves, fences it when the other side has nearly
 * all, and hands out the rest. Owned by the loop.
 *
 * <pre>
 *   question | group | generation or stream id | number | file or nothing
 * </pre>
 */
final class Exporter {
    /** The messages behind the number. */
    static final int MESSAGES = 1;
    /** Fences the stream; the number is the version of the assignment that moves it. Answered once that is committed. */
    static final int FENCE = 2;
    /** What is to be known beside the messages of a stream that is fenced. */
    static final int REST = 3;

    /** Makes a checkpoint that contains everything up to the number, and describes the stream of this id in it. */
    static final int DESCRIBE = 4;
    /** A piece of a file that was described, from the number on; the file's name stands behind it. */
    static final int READ = 5;
    /** What the streams came to at the entry of the number. */
    static final int CHECKED = 6;
    /** The stream of this id differs: fetch it. */
    static final int REPAIR = 7;

    /** Whether the stream is at work in the group it moved to, and hears what is published. */
    static final int ARRIVED = 8;
    /** Publishes the leader of the group before heard; they stand behind the file. */
    static final int PASS_ON = 9;

    private final Host host;

    Exporter(Host host) {
        this.host = host;
    }

    static byte[] question(int question, String group, long generation, long number) {
        return question(question, group, generation, number, "");
    }

    static byte[] question(int question, String group, long generation, long number, String file) {
        return new ByteWriter(64)
                .u8(question)
                .text(group)
                .varint(generation)
                .varint(number)
                .text(file)
                .toBytes();
    }

    /** Answers a question; fails when this node does not lead the stream. */
    CompletionStage<byte[]> answer(byte[] request) {
        ByteReader in = new ByteReader(request);
        int question = in.u8();
        String group = in.text();
        long generation = in.varint();
        long number = in.varint();
        String file = in.hasMore() ? in.text() : "";
        Engine engine = host.assignedEngine(group);
        if (question >= DESCRIBE && question <= REPAIR) {
            return engine == null
                    ? failed("has no replica of group " + group)
                    : mending(engine, question, generation, number, file);
        }
        StreamMachine stream =
                engine == null || !engine.leading() ? null : engine.streams().byGeneration(generation);
        StreamRuntime runtime = stream == null ? null : engine.led(stream.id());
        if (question == PASS_ON) {
            return CompletableFuture.completedFuture(passOn(runtime, in));
        }
        if (runtime == null || stream.failure() != null) {
            return failed("does not lead that stream of group " + group);
        }
        return switch (question) {
            case MESSAGES -> CompletableFuture.completedFuture(StreamCopy.messages(stream, number));
            case FENCE -> fence(runtime, number);
            case REST -> rest(runtime);
            case ARRIVED -> CompletableFuture.completedFuture(new byte[0]);
            default -> failed("unknown question " + question);
        };
    }

    private static CompletionStage<byte[]> mending(Engine engine, int question, long id, long number, String file) {
        Copies copies = engine.repairs().copies();
        if (question == CHECKED) {
            return engine.repairs().result(number);
        }
        if (question == REPAIR) {
            engine.repairs().want(id, "differs from the other replicas");
            return CompletableFuture.completedFuture(new byte[0]);
        }
        if (copies == null || !engine.leading() || engine.streams().repairing(id)) {
            return failed("has no sound copy to give");
        }
        try {
            return question == DESCRIBE
                    ? copies.describe(id, number)
                    : CompletableFuture.completedFuture(copies.read(file, number));
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private static CompletionStage<byte[]> failed(String why) {
        return CompletableFuture.failedFuture(new IllegalStateException("this node " + why));
    }

    /** Refuses for certain when nobody here takes it, so that it can be passed to another. */
    private static byte[] passOn(StreamRuntime stream, ByteReader in) {
        if (stream == null) {
            return new byte[] {0};
        }
        stream.passedOn(in);
        return new byte[] {HandOver.TAKEN};
    }

    private static CompletionStage<byte[]> rest(StreamRuntime stream) {
        if (stream.machine().phase() != Phase.FENCED) {
            return failed("stream " + stream.name() + " is not fenced");
        }
        stream.overlaps();
        return CompletableFuture.completedFuture(StreamCopy.rest(stream.machine()));
    }

    private CompletionStage<byte[]> fence(StreamRuntime stream, long version) {
        StreamAssignment assignment = host.assignments().get(stream.account().name(), stream.name());
        if (assignment == null
                || assignment.generation() != stream.machine().generation()
                || assignment.version() != version
                || assignment.target().isEmpty()) {
            return failed("knows of no such move of " + stream.name());
        }
        CompletableFuture<byte[]> done = new CompletableFuture<>();
        stream.fence(version, done);
        return done;
    }
}
