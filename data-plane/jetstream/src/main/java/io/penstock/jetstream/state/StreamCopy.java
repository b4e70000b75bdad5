package io.penstock.jetstream.state;

import io.penstock.protocol.SubjectFilter;
import io.penstock.storage.StoredMessage;
import io.penstock.storage.StreamState;
import io.penstock.storage.StreamStore;

/**
 * How a stream gets from one group to another, as bodies of records: first its messages piece by piece, while the stream
 * is at work and changes; then, with the stream fenced, the rest:
 *
 * <pre>
 *   first sequence | last sequence | last time | ranges | (from, length)* missing between first and last
 *   | configuration, consumers, message ids and ends of life | whether limits may be exceeded, absent for no
 * </pre>
 */
public final class StreamCopy {
    private static final int PIECE = 256 << 10;

    private StreamCopy() {}

    /** The messages behind a sequence, as many as a record should carry; nothing when there are none. */
    public static byte[] messages(StreamMachine stream, long after) {
        ByteWriter out = new ByteWriter(PIECE);
        StreamStore store = stream.store();
        for (StoredMessage m = store.next(SubjectFilter.ALL, after + 1);
                m != null && out.length() < PIECE;
                m = store.next(SubjectFilter.ALL, m.sequence() + 1)) {
            out.varint(m.sequence()).varint(m.timestampNanos()).latin(m.subject());
            out.block(m.headers()).block(m.payload());
        }
        return out.toBytes();
    }

    /** What is to be known beside the messages. */
    public static byte[] rest(StreamMachine stream) {
        StreamState state = stream.store().state();
        ByteWriter out = new ByteWriter(4096);
        out.varint(state.firstSequence()).varint(state.lastSequence()).varint(state.lastTimestampNanos());
        ByteWriter ranges = new ByteWriter(1024);
        long[] range = {-1, 0, 0};
        stream.store().deleted(sequence -> {
            if (range[0] >= 0 && sequence == range[0] + range[1]) {
                range[1]++;
            } else {
                endRange(ranges, range);
                range[0] = sequence;
                range[1] = 1;
            }
            return true;
        });
        endRange(ranges, range);
        out.varint(range[2]).raw(ranges.array(), 0, ranges.length());
        return out.block(stream.encodeWhole()).toBytes();
    }

    private static void endRange(ByteWriter ranges, long[] range) {
        if (range[0] >= 0) {
            ranges.varint(range[0]).varint(range[1]);
            range[2]++;
        }
    }

    static void takeMessages(StreamMachine stream, ByteReader in) {
        StreamStore store = stream.store();
        MessageBytes message = new MessageBytes();
        while (in.hasMore()) {
            long sequence = in.varint();
            long time = in.varint();
            String subject = in.latin();
            int headers = in.length();
            int headersAt = in.position();
            in.skip(headers);
            int payload = in.length();
            int payloadAt = in.position();
            in.skip(payload);
            // A piece that two leaders of the group put into the log counts once.
            if (sequence > store.state().lastSequence()) {
                stream.append(sequence, time, subject, message.of(in.array(), headersAt, headers, payloadAt, payload));
            }
        }
    }

    static void takeRest(StreamMachine stream, ByteReader in) {
        StreamStore store = stream.store();
        long first = in.varint();
        long last = in.varint();
        long lastTime = in.varint();
        if (first > 1) {
            store.purge(SubjectFilter.ALL, first, 0);
        }
        for (long left = in.varint(); left > 0; left--) {
            long from = in.varint();
            long end = from + in.varint();
            for (long s = store.nextSequence(SubjectFilter.ALL, from);
                    s > 0 && s < end;
                    s = store.nextSequence(SubjectFilter.ALL, s + 1)) {
                store.remove(s, false);
            }
        }
        if (last > store.state().lastSequence()) {
            store.skip(last, lastTime);
        }
        stream.adopt(new ByteReader(in.block()));
        if (in.hasMore() && in.bool()) {
            RetentionRules.enforceAll(stream);
        }
    }
}
