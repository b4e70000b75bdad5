package io.penstock.jetstream.runtime;

import io.penstock.jetstream.state.ByteReader;
import io.penstock.jetstream.state.ByteWriter;
import io.penstock.jetstream.state.Phase;
import io.penstock.jetstream.state.StreamCopy;
import io.penstock.jetstream.state.StreamMachine;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The side of a moving stream that has it: hands out messages while it serves, fences it when the other side has nearly
 * all, and hands out the rest. Owned by the loop.
 *
 * <pre>
 *   question | group | generation | number
 * </pre>
 */
final class Exporter {
    /** The messages behind the number. */
    static final int MESSAGES = 1;
    /** Fences the stream; the number is the version of the assignment that moves it. Answered once that is committed. */
    static final int FENCE = 2;
    /** What is to be known beside the messages of a stream that is fenced. */
    static final int REST = 3;

    private final Host host;

    Exporter(Host host) {
        this.host = host;
    }

    static byte[] question(int question, String group, long generation, long number) {
        return new ByteWriter(64)
                .u8(question)
                .text(group)
                .varint(generation)
                .varint(number)
                .toBytes();
    }

    /** Answers a question; fails when this node does not lead the stream. */
    CompletionStage<byte[]> answer(byte[] request) {
        ByteReader in = new ByteReader(request);
        int question = in.u8();
        String group = in.text();
        long generation = in.varint();
        long number = in.varint();
        Engine engine = host.assignedEngine(group);
        StreamMachine stream = engine == null || !engine.leading() ? null : engine.streams().byGeneration(generation);
        StreamRuntime runtime = stream == null ? null : engine.led(stream.id());
        if (runtime == null || stream.failure() != null) {
            return failed("does not lead that stream of group " + group);
        }
        return switch (question) {
            case MESSAGES -> CompletableFuture.completedFuture(StreamCopy.messages(stream, number));
            case FENCE -> fence(runtime, number);
            case REST ->
                stream.phase() == Phase.FENCED
                        ? CompletableFuture.completedFuture(StreamCopy.rest(stream))
                        : failed("stream " + stream.name() + " is not fenced");
            default -> failed("unknown question " + question);
        };
    }

    private static CompletionStage<byte[]> failed(String why) {
        return CompletableFuture.failedFuture(new IllegalStateException("this node " + why));
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
