package io.penstock.jetstream.runtime;

import io.penstock.jetstream.state.BatchPart;
import io.penstock.jetstream.state.BatchRecord;
import io.penstock.jetstream.state.BatchResult;
import io.penstock.jetstream.state.ByteWriter;
import io.penstock.jetstream.state.Headers;
import io.penstock.jetstream.state.StreamSet;
import io.penstock.protocol.jetstream.JsError;
import java.util.Arrays;
import java.util.List;

/** A whole batch on its way into its stream: one record of the log, and whom to answer. Owned by the loop. */
final class BatchCommit implements Incoming {
    private static final String COMMIT_LINE = "Nats-Batch-Commit: 1\r\n";

    private final StreamRuntime stream;
    private final String id;
    private final String reply;
    private final byte[] record;
    private final int count;

    /** Messages that count as waiting for the stream, and their bytes. */
    private final int waiting;

    private final long cost;

    /** Bytes that count as held by batches. */
    private final long staged;

    private BatchCommit(
            StreamRuntime stream,
            String id,
            String reply,
            byte[] record,
            int count,
            int waiting,
            long cost,
            long staged) {
        this.stream = stream;
        this.id = id;
        this.reply = reply;
        this.record = record;
        this.count = count;
        this.waiting = waiting;
        this.cost = cost;
        this.staged = staged;
    }

    /**
     * Makes the record.
     *
     * @param messages those to be stored, in order
     * @param last the one that ended the batch, among them or not
     * @param staged bytes that count as held by batches until there is an outcome
     */
    static BatchCommit of(
            StreamRuntime stream, String id, List<PublishCommand> messages, PublishCommand last, long staged) {
        boolean marker = messages.getLast() != last;
        long cost = marker ? last.cost() : 0;
        int capacity = 0;
        for (PublishCommand message : messages) {
            cost += message.cost();
            capacity += message.record().length + 10;
        }
        ByteWriter out = BatchRecord.begin(stream.id(), id, messages.size(), capacity);
        for (int i = 0; i < messages.size(); i++) {
            add(out, messages.get(i), marker && i == messages.size() - 1);
        }
        return new BatchCommit(
                stream,
                id,
                last.reply(),
                out.toBytes(),
                messages.size(),
                messages.size() + (marker ? 1 : 0),
                cost,
                staged);
    }

    private static void add(ByteWriter out, PublishCommand message, boolean ends) {
        byte[] bytes = message.record();
        int offset = message.headersOffset();
        int length = message.headersLength();
        byte[] changed = message.batch().requiredLevel() == 0 ? null : BatchPart.withoutLevel(bytes, offset, length);
        if (ends) {
            byte[] block = changed != null ? changed : Arrays.copyOfRange(bytes, offset, offset + length);
            changed = Headers.append(block, COMMIT_LINE);
        }
        if (changed != null) {
            BatchRecord.add(out, message.subject(), changed, bytes, message.payloadOffset(), message.payloadLength());
        } else {
            BatchRecord.add(
                    out,
                    message.subject(),
                    bytes,
                    offset,
                    length,
                    bytes,
                    message.payloadOffset(),
                    message.payloadLength());
        }
    }

    @Override
    public void run() {
        stream.commit(this);
    }

    @Override
    public void applied(Object result) {
        if (result == StreamSet.GONE && stream.account().host().clustered()) {
            stream.park(this);
            return;
        }
        drop();
        switch (result) {
            case BatchResult taken -> stream.committed(this, taken);
            case StreamSet.Refused refused -> stream.refuse(reply, refused.error());
            case null, default -> stream.refuse(reply, JsError.STREAM_INVALID.of());
        }
    }

    @Override
    public void missed() {
        drop();
        if (count > 1) {
            // The other group cannot have the first messages, and has refused the last one if it heard it.
            stream.notTaken(reply);
        }
    }

    byte[] headersOf(BatchRecord.Message message) {
        return Arrays.copyOfRange(record, message.headersOffset(), message.headersOffset() + message.headersLength());
    }

    byte[] payloadOf(BatchRecord.Message message) {
        return Arrays.copyOfRange(record, message.payloadOffset(), message.payloadOffset() + message.payloadLength());
    }

    @Override
    public void drop() {
        stream.ingest().done(waiting, cost);
        stream.account().batches().give(staged);
    }

    @Override
    public byte[] record() {
        return record;
    }

    String id() {
        return id;
    }

    @Override
    public StreamRuntime stream() {
        return stream;
    }

    @Override
    public String reply() {
        return reply;
    }

    /** How many messages it stores. */
    int count() {
        return count;
    }

    /** What it counts for while it waits, in bytes. */
    long cost() {
        return cost;
    }
}
