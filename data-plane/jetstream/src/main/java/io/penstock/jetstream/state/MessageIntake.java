package io.penstock.jetstream.state;

import io.penstock.protocol.SubjectFilter;
import io.penstock.protocol.jetstream.ApiError;
import io.penstock.protocol.jetstream.RetentionPolicy;
import io.penstock.storage.StreamStore;
import java.util.ArrayList;
import java.util.List;

/** How messages come into a stream: checks, message ids, retention, lifetimes. Owned by the group's loop. */
final class MessageIntake {
    private final StreamMachine stream;
    private final StreamStore store;
    private final DedupeWindow dedupe = new DedupeWindow();
    private final PublishHeaders headers = new PublishHeaders();
    private final MessageBytes message = new MessageBytes();
    private String lastMessageId = "";

    MessageIntake(StreamMachine stream, StreamStore store) {
        this.stream = stream;
        this.store = store;
    }

    /** The id of the message that came last; empty when it had none. */
    String lastMessageId() {
        return lastMessageId;
    }

    void encode(ByteWriter out) {
        out.text(lastMessageId);
        dedupe.encode(out);
    }

    void decode(ByteReader in) {
        lastMessageId = in.text();
        dedupe.decode(in);
    }

    /** Notes what the headers of a message say that is there already: its id, while the window lasts, and its end. */
    void restored(long sequence, long timestamp, byte[] block, long now) {
        headers.parse(block, 0, block.length);
        lastMessageId = headers.messageId == null ? "" : headers.messageId;
        if (headers.messageId != null && now - timestamp < stream.config().duplicateWindow()) {
            dedupe.add(headers.messageId, sequence, timestamp);
        }
        if (stream.config().allowMsgTtl()) {
            noteLifetime(sequence, timestamp);
        }
    }

    /** Takes a message or refuses it; {@code result} says which. */
    void publish(
            long now,
            String publishedSubject,
            byte[] bytes,
            int headersOffset,
            int headersLength,
            int payloadOffset,
            int payloadLength,
            PublishResult result) {
        result.clear();
        String subject = transformed(publishedSubject, store.state().lastSequence() + 1);
        result.subject = subject;
        headers.parse(bytes, headersOffset, headersLength);
        ApiError refused = PublishChecks.beforeDedupe(stream, headers, subject, headersLength, payloadLength);
        if (refused == null && headers.messageId != null && stream.config().duplicateWindow() > 0) {
            long first = dedupe.find(headers.messageId, now, stream.config().duplicateWindow());
            if (first > 0) {
                result.sequence = first;
                result.duplicate = true;
                return;
            }
        }
        if (refused == null) {
            refused = PublishChecks.afterDedupe(stream, headers);
        }
        if (refused == null) {
            refused = PublishChecks.limits(
                    stream, headers, subject, store.sizeOf(subject.length(), headersLength, payloadLength));
        }
        if (refused != null) {
            result.refuse(refused);
            return;
        }
        message.of(bytes, headersOffset, headersLength, payloadOffset, payloadLength);
        storeWanted(now, subject, result);
    }

    /** Stores what is wanted of the message, which passed all checks. */
    private void storeWanted(long now, String subject, PublishResult result) {
        if (headers.requestInfoStart >= 0) {
            dropRequestInfo();
        }
        store(now, subject, result);
        message.release();
    }

    /** Takes all messages of a batch, or none; the answer says which. */
    BatchResult publishBatch(long now, BatchRecord batch) {
        ApiError refused = BatchChecks.whole(stream);
        if (refused != null) {
            return BatchResult.refused(refused);
        }
        BatchChecks checks = new BatchChecks(stream, dedupe, now);
        long next = store.state().lastSequence() + 1;
        List<String> subjects = new ArrayList<>(batch.messages().size());
        for (BatchRecord.Message part : batch.messages()) {
            String subject = transformed(part.subject(), next++);
            subjects.add(subject);
            headers.parse(batch.array(), part.headersOffset(), part.headersLength());
            refused = checks.next(headers, subject, part.headersLength(), part.payloadLength());
            if (refused != null) {
                return BatchResult.refused(refused);
            }
        }
        List<PublishResult> results = new ArrayList<>(subjects.size());
        for (int i = 0; i < subjects.size(); i++) {
            results.add(storeOf(now, batch, batch.messages().get(i), subjects.get(i)));
        }
        return new BatchResult(results.getLast().sequence, results, null);
    }

    private PublishResult storeOf(long now, BatchRecord batch, BatchRecord.Message part, String subject) {
        PublishResult result = new PublishResult();
        result.subject = subject;
        headers.parse(batch.array(), part.headersOffset(), part.headersLength());
        message.of(
                batch.array(), part.headersOffset(), part.headersLength(), part.payloadOffset(), part.payloadLength());
        storeWanted(now, subject, result);
        return result;
    }

    private String transformed(String subject, long sequence) {
        if (stream.transform() == null) {
            return subject;
        }
        long seed = sequence * 0x9E3779B97F4A7C15L;
        String changedSubject =
                stream.transform().apply(subject, bound -> (int) Long.remainderUnsigned(seed ^ (seed >>> 32), bound));
        return changedSubject == null ? subject : changedSubject;
    }

    /** Makes the message a copy without what only its receivers were to see. */
    private void dropRequestInfo() {
        int left = message.headersLength - (headers.requestInfoEnd - headers.requestInfoStart);
        byte[] copy = new byte[left + message.payloadLength];
        int before = headers.requestInfoStart - message.headersOffset;
        System.arraycopy(message.array, message.headersOffset, copy, 0, before);
        System.arraycopy(message.array, headers.requestInfoEnd, copy, before, left - before);
        System.arraycopy(message.array, message.payloadOffset, copy, left, message.payloadLength);
        // A block of nothing but its first line and the blank line is no block.
        int kept = left <= "NATS/1.0\r\n\r\n".length() ? 0 : left;
        message.of(copy, left - kept, kept, left, message.payloadLength);
    }

    private void store(long now, String subject, PublishResult result) {
        long sequence = store.state().lastSequence() + 1;
        result.timestamp = now;
        if (stream.config().retention() == RetentionPolicy.INTEREST && !RetentionRules.hasInterest(stream, subject)) {
            store.skip(sequence, now);
            accepted(sequence, now, result);
            stream.events().skipped(sequence);
            return;
        }
        if (stream.config().republish() != null) {
            var held = store.subject(subject);
            result.previousOnSubject = held == null ? 0 : held.lastSequence();
        }
        stream.append(sequence, now, subject, message);
        accepted(sequence, now, result);
        result.stored = true;
        noteLifetime(sequence, now);
        stream.events().stored(sequence, subject);
        if (headers.rollup != null) {
            rollup(sequence, subject);
        }
        RetentionRules.enforceLimits(stream, subject);
    }

    private void accepted(long sequence, long now, PublishResult result) {
        result.sequence = sequence;
        String messageId = headers.messageId == null ? "" : headers.messageId;
        if (!messageId.equals(lastMessageId)) {
            lastMessageId = messageId;
            stream.touched();
        }
        if (headers.messageId != null && stream.config().duplicateWindow() > 0) {
            dedupe.add(headers.messageId, sequence, now);
            stream.touched();
        }
    }

    private void noteLifetime(long sequence, long now) {
        if (headers.ttlNanos == PublishHeaders.TTL_NEVER) {
            stream.expiry().addEndless(sequence);
        } else if (headers.ttlNanos > 0) {
            long lifetime = headers.ttlNanos;
            if (stream.config().subjectDeleteMarkerTtl() > lifetime
                    && stream.config().maxMsgsPerSubject() != 1) {
                lifetime = stream.config().subjectDeleteMarkerTtl();
            }
            stream.expiry().add(sequence, now + lifetime);
        } else {
            return;
        }
        stream.touched();
    }

    private void rollup(long sequence, String subject) {
        SubjectFilter filter = headers.rollup.equalsIgnoreCase("all") ? SubjectFilter.ALL : SubjectFilter.of(subject);
        if (store.purge(filter, sequence, 0) > 0) {
            stream.events().purged();
        }
    }
}
