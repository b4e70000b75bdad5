package io.penstock.jetstream.runtime;

import io.penstock.broker.internal.InboundMessage;
import io.penstock.broker.internal.MessageOrigin;
import io.penstock.consensus.GroupLoop;
import io.penstock.jetstream.state.ByteReader;
import io.penstock.jetstream.state.ByteWriter;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.CRC32C;

/**
 * A stream that has just come from another group. For a moment the leaders of both hear what is published: the one before
 * passes on what it heard, and what came here straight too is taken once. The two are told to be one by subject, reply
 * subject, headers and payload. Owned by the loop.
 */
final class Arrival {
    /** What is told apart at most, so that a flood of messages does not fill the memory. */
    private static final int MOST = 100_000;

    /** Messages that were sent before the other side left may be under way for so long. */
    private static final long LINGER = 1_000_000_000L;

    /** The other side is not waited for any longer. */
    private static final long LONGEST = 30_000_000_000L;

    private record Mark(String subject, String reply, long content) {
        static Mark of(PublishCommand command) {
            byte[] record = command.record();
            int from = command.headersOffset();
            int length = record.length - from;
            CRC32C crc = new CRC32C();
            crc.update(record, from, length);
            int hash = command.headersLength();
            for (int i = from; i < record.length; i++) {
                hash = 31 * hash + record[i];
            }
            return new Mark(command.subject(), command.reply(), (long) hash << 32 | crc.getValue());
        }
    }

    private final StreamRuntime stream;
    private final Runnable over;

    /** How many more came straight (above zero) or were passed on (below) of what is equal. */
    private final Map<Mark, Integer> balance = new HashMap<>();

    private GroupLoop.Timer end;

    /** @param over runs when nothing is to be told apart any more */
    Arrival(StreamRuntime stream, Runnable over) {
        this.stream = stream;
        this.over = over;
        this.end = stream.engine().loop().schedule(LONGEST, over);
    }

    void close() {
        end.cancel();
    }

    /** Whether a message that came straight is to be taken: it was not passed on before. */
    boolean takes(PublishCommand command) {
        return counts(Mark.of(command), 1);
    }

    private boolean counts(Mark mark, int step) {
        int before = balance.getOrDefault(mark, 0);
        if (before == 0 && balance.size() >= MOST) {
            return true;
        }
        if (before + step == 0) {
            balance.remove(mark);
        } else {
            balance.put(mark, before + step);
        }
        return before * step >= 0;
    }

    // --- what is passed on ----------------------------------------------------------------------------------------

    /** Encodes a message for {@link #passedOn}. */
    static void write(ByteWriter out, PublishCommand command) {
        byte[] record = command.record();
        out.bool(command.early()).latin(command.subject()).bool(command.reply() != null);
        if (command.reply() != null) {
            out.latin(command.reply());
        }
        out.varint(command.headersLength()).raw(record, command.headersOffset(), command.headersLength());
        out.varint(command.payloadLength()).raw(record, command.payloadOffset(), command.payloadLength());
    }

    /** Takes what the leader of the group before passes on. */
    void passedOn(ByteReader in) {
        boolean last = in.bool();
        while (in.hasMore()) {
            boolean early = in.bool();
            String subject = in.latin();
            String reply = in.bool() ? in.latin() : null;
            PublishCommand command = PublishCommand.of(stream, new Passed(subject, reply, in.block(), in.block()));
            if (early || counts(Mark.of(command), -1)) {
                stream.takePassedOn(command);
            }
        }
        if (last) {
            end.cancel();
            end = stream.engine().loop().schedule(LINGER, over);
        }
    }

    private record Passed(String subject, String reply, byte[] headers, byte[] payload) implements InboundMessage {
        @Override
        public int headersLength() {
            return headers.length;
        }

        @Override
        public int payloadLength() {
            return payload.length;
        }

        @Override
        public void copyHeaders(byte[] target, int offset) {
            System.arraycopy(headers, 0, target, offset, headers.length);
        }

        @Override
        public void copyPayload(byte[] target, int offset) {
            System.arraycopy(payload, 0, target, offset, payload.length);
        }

        /** Nobody asks: what goes into the log is the same whoever published. */
        @Override
        public MessageOrigin origin() {
            throw new UnsupportedOperationException("not known of a message that was passed on");
        }
    }
}
