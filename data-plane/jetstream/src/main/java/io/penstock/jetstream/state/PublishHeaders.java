package io.penstock.jetstream.state;

import io.penstock.protocol.Subjects;
import io.penstock.protocol.jetstream.GoTime;
import java.nio.charset.StandardCharsets;

/**
 * What the headers of a message ask of the stream that stores it. One instance is filled again and again by the loop
 * that owns it; it keeps nothing of the bytes it read.
 */
final class PublishHeaders {
    /** Lifetime meaning that the message never ends. */
    static final long TTL_NEVER = -1;

    /** Lifetime that could not be understood. */
    static final long TTL_INVALID = -2;

    /** Which features of headers a message uses that this server does not offer. */
    enum Unsupported {
        NONE,
        COUNTER,
        SCHEDULE,
        SCHEDULER
    }

    String messageId;
    String expectedStream;
    String expectedLastMessageId;
    String expectedSubject;
    String rollup;
    String source;
    long expectedLastSequence;
    long expectedLastSubjectSequence;
    boolean hasLastSequence;
    boolean hasLastSubjectSequence;
    long ttlNanos;
    String marker;
    Unsupported unsupported;

    /** Whether the message belongs to an atomic batch. */
    boolean batch;

    int requiredLevel;
    int requestInfoStart;
    int requestInfoEnd;

    private void clear() {
        messageId = null;
        expectedStream = null;
        expectedLastMessageId = null;
        expectedSubject = null;
        rollup = null;
        source = null;
        hasLastSequence = false;
        hasLastSubjectSequence = false;
        ttlNanos = 0;
        marker = null;
        unsupported = Unsupported.NONE;
        batch = false;
        requiredLevel = 0;
        requestInfoStart = -1;
        requestInfoEnd = -1;
    }

    /** Reads the header block at {@code offset}; length 0 reads as no headers. */
    void parse(byte[] bytes, int offset, int length) {
        clear();
        int end = offset + length;
        int line = lineEnd(bytes, offset, end);
        while (line < end) {
            int next = lineEnd(bytes, line, end);
            if (next - line > 6 && startsWithNats(bytes, line)) {
                int colon = line;
                while (colon < next && bytes[colon] != ':') {
                    colon++;
                }
                if (colon < next) {
                    take(bytes, line, colon, next);
                }
            }
            line = next;
        }
    }

    private static int lineEnd(byte[] bytes, int from, int end) {
        for (int i = from; i < end; i++) {
            if (bytes[i] == '\n') {
                return i + 1;
            }
        }
        return end;
    }

    private static boolean startsWithNats(byte[] bytes, int at) {
        return bytes[at] == 'N'
                && bytes[at + 1] == 'a'
                && bytes[at + 2] == 't'
                && bytes[at + 3] == 's'
                && bytes[at + 4] == '-';
    }

    private void take(byte[] bytes, int line, int colon, int next) {
        String name = new String(bytes, line + 5, colon - line - 5, StandardCharsets.ISO_8859_1);
        String value = new String(bytes, colon + 1, next - colon - 1, StandardCharsets.UTF_8).strip();
        switch (name) {
            case "Msg-Id" -> messageId = messageId == null && !value.isEmpty() ? value : messageId;
            case "Expected-Stream" -> expectedStream = value;
            case "Expected-Last-Msg-Id" -> expectedLastMessageId = value.isEmpty() ? null : value;
            case "Expected-Last-Sequence" -> {
                hasLastSequence = isNumber(value);
                expectedLastSequence = hasLastSequence ? Long.parseLong(value) : 0;
            }
            case "Expected-Last-Subject-Sequence" -> {
                hasLastSubjectSequence = isNumber(value);
                expectedLastSubjectSequence = hasLastSubjectSequence ? Long.parseLong(value) : 0;
            }
            case "Expected-Last-Subject-Sequence-Subject" ->
                expectedSubject = value.isEmpty() ? null : Subjects.fromUtf8(value);
            case "Rollup" -> rollup = value.isEmpty() ? null : value;
            case "TTL" -> ttlNanos = value.isEmpty() ? 0 : ttl(value);
            case "Marker-Reason" -> marker = value;
            case "Stream-Source" -> source = value;
            case "Incr" -> unsupported = Unsupported.COUNTER;
            case "Schedule" -> unsupported = Unsupported.SCHEDULE;
            case "Scheduler", "Schedule-Next" -> unsupported = Unsupported.SCHEDULER;
            case "Batch-Id" -> batch = true;
            case "Required-Api-Level" -> requiredLevel = isNumber(value) ? (int) Long.parseLong(value) : -1;
            case "Request-Info" -> {
                requestInfoStart = line;
                requestInfoEnd = next;
            }
            default -> {
                // Not ours: stored as it is.
            }
        }
    }

    private static boolean isNumber(String value) {
        if (value.isEmpty() || value.length() > 18) {
            return false;
        }
        for (int i = 0; i < value.length(); i++) {
            if (value.charAt(i) < '0' || value.charAt(i) > '9') {
                return false;
            }
        }
        return true;
    }

    /** A lifetime: a duration, whole seconds or {@code never}; at least a second, fractions of a second cut off. */
    static long ttl(String value) {
        if (value.equalsIgnoreCase("never")) {
            return TTL_NEVER;
        }
        if (isNumber(value) && value.length() < 11) {
            long seconds = Long.parseLong(value);
            return seconds < 0 ? TTL_INVALID : seconds * 1_000_000_000L;
        }
        try {
            long nanos = GoTime.parseDuration(value);
            return nanos < 1_000_000_000L ? TTL_INVALID : nanos / 1_000_000_000L * 1_000_000_000L;
        } catch (IllegalArgumentException e) {
            return TTL_INVALID;
        }
    }
}
