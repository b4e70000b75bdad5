package io.penstock.jetstream.backup;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.jetstream.state.RestoredStream;
import io.penstock.protocol.Subjects;
import io.penstock.protocol.jetstream.ConsumerConfig;
import io.penstock.protocol.jetstream.GoTime;
import io.penstock.protocol.jetstream.InvalidJsonException;
import io.penstock.protocol.jetstream.JetStreamJson;
import io.penstock.protocol.jetstream.JsException;
import io.penstock.protocol.jetstream.StreamConfig;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.function.UnaryOperator;

/** An archive that lies somewhere: verified as a whole before anything of it is used. */
final class Archive {
    private static final int MOST_CONSUMERS = 100_000;
    private static final int MOST_HEADERS = 0xffff;
    private static final int MOST_SUBJECT = 0xffff;
    private static final String FIRST_LINE = "NATS/1.0";

    /** Where the archive lies; read twice. */
    interface Source {
        InputStream open() throws IOException;
    }

    /** Takes the messages, in their order. */
    interface Messages {
        void take(ArchiveEntry message) throws IOException, InterruptedException;
    }

    /** What a stored message counts for. */
    interface Size {
        long of(int subject, int headers, int payload);
    }

    private final Source source;
    private long firstSequence;
    private long lastSequence;
    private long lastTimestamp;
    private long messages;
    private long bytes;

    Archive(Source source) {
        this.source = source;
    }

    long bytes() {
        return bytes;
    }

    long messages() {
        return messages;
    }

    /**
     * Reads all of it and verifies it.
     *
     * @param into hears of consumers, and of each message's headers
     * @param rules what a consumer's configuration must obey
     */
    void verify(StreamConfig config, RestoredStream into, UnaryOperator<ConsumerConfig> rules, int limit, Size size)
            throws IOException, InterruptedException {
        try (InputStream in = open()) {
            ArchiveReader reader = new ArchiveReader(in);
            int consumers = state(reader.next());
            for (int i = 0; i < consumers; i++) {
                consumer(ConsumerEntry.read(reader.next()), into, rules, limit);
            }
            long stated = lastSequence;
            long[] before = {firstSequence - 1};
            long most = config.maxMsgSize() >= 0 ? config.maxMsgSize() : Long.MAX_VALUE;
            forEach(reader, m -> {
                if (m.sequence() <= before[0] || m.sequence() > stated) {
                    throw new ArchiveException("message " + m.sequence() + " is out of order, or beyond the state's "
                            + firstSequence + " to " + stated);
                }
                message(m, most);
                before[0] = m.sequence();
                into.message(m.sequence(), m.timestampNanos(), Arrays.copyOf(m.body(), m.headersLength()));
                bytes += size.of(m.name().length(), m.headersLength(), m.body().length - m.headersLength());
                messages++;
                lastTimestamp = Math.max(lastTimestamp, m.timestampNanos());
            });
        }
    }

    /** Reads the messages again. */
    void messages(Messages into) throws IOException, InterruptedException {
        try (InputStream in = open()) {
            ArchiveReader reader = new ArchiveReader(in);
            int consumers = state(reader.next());
            for (int i = 0; i < consumers; i++) {
                reader.next();
            }
            forEach(reader, into);
        }
    }

    byte[] end(RestoredStream restored, StreamConfig config) {
        return restored.end(config, firstSequence, lastSequence, lastTimestamp);
    }

    private InputStream open() throws IOException {
        return new S2Input(new BufferedInputStream(source.open(), 1 << 16));
    }

    private static void forEach(ArchiveReader reader, Messages into) throws IOException, InterruptedException {
        for (ArchiveEntry entry = reader.next(); !entry.isEnd(); entry = reader.next()) {
            if (entry.sequence() == 0) {
                throw new ArchiveException("\"" + Subjects.toUtf8(entry.name()) + "\" stands where messages should");
            }
            into.take(entry);
        }
        reader.drain();
    }

    private int state(ArchiveEntry entry) throws ArchiveException {
        if (!entry.name().equals(ArchiveEntry.STATE)) {
            throw new ArchiveException(
                    "the archive begins with \"" + Subjects.toUtf8(entry.name()) + "\", not " + ArchiveEntry.STATE);
        }
        JsonNode state;
        try {
            state = JetStreamJson.read(entry.body(), JsonNode.class, false);
        } catch (InvalidJsonException e) {
            throw new ArchiveException(ArchiveEntry.STATE + ": " + e.getMessage());
        }
        long count = number(state, "messages");
        long consumers = number(state, "consumer_count");
        firstSequence = number(state, "first_seq");
        lastSequence = number(state, "last_seq");
        boolean untouched = firstSequence == 0 && lastSequence == 0;
        boolean empty = firstSequence > 0 && firstSequence - 1 == lastSequence;
        boolean holds = firstSequence > 0 && firstSequence <= lastSequence;
        long room = holds ? lastSequence - firstSequence + 1 : 0;
        if (!(untouched || empty || holds) || count > room || consumers > MOST_CONSUMERS) {
            throw new ArchiveException(ArchiveEntry.STATE + " contradicts itself: " + count + " messages from "
                    + firstSequence + " to " + lastSequence + ", " + consumers + " consumers");
        }
        firstSequence = Math.max(1, firstSequence);
        lastTimestamp = Math.max(lastTimestamp, time(state.path("last_ts").asText("")));
        return (int) consumers;
    }

    /** When the last message was stored that may be gone; 0 when that is not told. */
    private static long time(String text) {
        try {
            return text.isEmpty() ? 0 : GoTime.nanos(GoTime.parse(text));
        } catch (DateTimeParseException e) {
            return 0;
        }
    }

    private static long number(JsonNode state, String field) throws ArchiveException {
        JsonNode value = state.path(field);
        boolean known = value.isMissingNode() || (value.isIntegralNumber() && value.canConvertToLong());
        // Above this a sequence could not be followed by others.
        if (!known || value.asLong() < 0 || value.asLong() > Long.MAX_VALUE / 2) {
            throw new ArchiveException(ArchiveEntry.STATE + ": " + field + " is " + value);
        }
        return value.asLong();
    }

    private void consumer(ConsumerEntry entry, RestoredStream into, UnaryOperator<ConsumerConfig> rules, int limit)
            throws ArchiveException {
        try {
            ConsumerConfig config = rules.apply(entry.config());
            into.consumer(entry.name(), config, entry.progress(), lastSequence, limit);
        } catch (JsException | IllegalArgumentException e) {
            throw new ArchiveException("consumer " + entry.name() + ": " + e.getMessage());
        }
    }

    private static void message(ArchiveEntry m, long most) throws ArchiveException {
        String fault = null;
        if (!Subjects.isValidLiteral(m.name()) || m.name().length() > MOST_SUBJECT) {
            fault = "has no valid subject: \"" + Subjects.toUtf8(m.name()) + "\"";
        } else if (m.timestampNanos() < 0) {
            fault = "has a time before 1970";
        } else if (m.body().length > most) {
            fault = "exceeds maximum message size";
        } else if (m.headersLength() > MOST_HEADERS) {
            fault = "has " + m.headersLength() + " bytes of headers; the most is " + MOST_HEADERS;
        } else if (m.headersLength() > 0 && !headers(m)) {
            fault = "has headers that are none";
        }
        if (fault != null) {
            throw new ArchiveException("message sequence " + m.sequence() + " " + fault);
        }
    }

    private static boolean headers(ArchiveEntry m) {
        String block = new String(m.body(), 0, m.headersLength(), StandardCharsets.ISO_8859_1);
        return block.startsWith(FIRST_LINE) && block.endsWith("\r\n\r\n");
    }
}
