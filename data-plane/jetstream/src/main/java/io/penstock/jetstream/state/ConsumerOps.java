package io.penstock.jetstream.state;

/**
 * The progress of one consumer as the log carries it: operations in the order in which they happened.
 *
 * <pre>
 *   consumer id | epoch | (op, numbers)*
 * </pre>
 */
public final class ConsumerOps {
    /** First delivery; distance from the stream sequence delivered before. */
    static final int DELIVER = 1;
    /** Another delivery; stream sequence. */
    static final int REDELIVER = 2;
    /** Acknowledged or terminated; stream sequence. */
    static final int ACK = 3;
    /** Acknowledged with everything before; stream sequence. */
    static final int ACK_ALL = 4;
    /** Delivered as often as allowed; stream sequence. */
    static final int EXHAUST = 5;
    /** Put off; stream sequence, nanoseconds from the entry's time. */
    static final int DEFER = 6;
    /** Moved on without delivering; distance. */
    static final int SKIP = 7;

    private final ByteWriter out = new ByteWriter(64);

    public void deliver(long distance) {
        out.u8(DELIVER).varint(distance);
    }

    public void redeliver(long sequence) {
        out.u8(REDELIVER).varint(sequence);
    }

    public void ack(long sequence) {
        out.u8(ACK).varint(sequence);
    }

    public void ackAll(long sequence) {
        out.u8(ACK_ALL).varint(sequence);
    }

    public void exhaust(long sequence) {
        out.u8(EXHAUST).varint(sequence);
    }

    public void defer(long sequence, long delayNanos) {
        out.u8(DEFER).varint(sequence).varint(delayNanos);
    }

    public void skip(long distance) {
        out.u8(SKIP).varint(distance);
    }

    public boolean isEmpty() {
        return out.length() == 0;
    }

    public int length() {
        return out.length();
    }

    /** What was gathered; the next operation begins a new batch. */
    public byte[] take() {
        byte[] bytes = out.toBytes();
        out.clear();
        return bytes;
    }
}
