package io.penstock.protocol;

import java.util.Arrays;

/**
 * Reads what a client sends, in pieces of any size. Messages are reported in place when they lie whole in the piece;
 * only what straddles pieces is copied. Not thread-safe: one parser belongs to one connection.
 *
 * <pre>
 *   verb blanks arguments [CR] LF                      all verbs but those below
 *   PUB subject [reply] size [CR] LF payload CR LF
 *   HPUB subject [reply] headers total [CR] LF payload CR LF
 * </pre>
 */
public final class ProtocolParser {
    /** What the next byte is. */
    private enum State {
        /** The first byte of an operation. */
        OPERATION,
        /** A later byte of a line whose beginning is kept in {@link #line}. */
        LINE,
        /** A byte of a PING, PONG or +OK line, whose rest means nothing. */
        IDLE_LINE,
        /** A byte of a payload that is gathered in {@link #message}. */
        PAYLOAD,
        /** Of no interest: a failure was reported. */
        FAILED
    }

    private static final int MAX_TOKENS = 5;
    private static final int MAX_SIZE_DIGITS = 9;
    private static final int FIRST_MESSAGE_BYTES = 64 * 1024;
    private static final int KEPT_MESSAGE_BYTES = 4 * 1024;
    private static final byte[] EMPTY = {};

    private final ProtocolSink sink;
    /** Null while nobody looks on, which is nearly always. */
    private ProtocolTap tap;

    private int maxControlLine;
    private int maxPayload;
    private boolean headersAllowed;
    private boolean awaitingConnect;

    private State state = State.OPERATION;
    private boolean stopped;
    private byte[] line = EMPTY;
    private int lineLength;
    private Verb idleVerb;
    private byte[] message = EMPTY;
    private int messageFilled;
    private int messageNeeded;

    /** Arguments of the line read last, as offsets into its array. */
    private final int[] tokenStart = new int[MAX_TOKENS];

    private final int[] tokenEnd = new int[MAX_TOKENS];
    private int tokens;
    private int firstTokenHash;
    private int argumentsStart;
    private int lineEnd;

    private int replyLength;
    private int headerLength;
    private int totalLength;
    private int payloadStart;
    private boolean canonical;

    /**
     * @param maxControlLine bytes of arguments in one line
     * @param maxPayload bytes of a message with its headers, negative for no limit
     */
    public ProtocolParser(ProtocolSink sink, int maxControlLine, int maxPayload) {
        this.sink = sink;
        this.maxControlLine = maxControlLine;
        this.maxPayload = maxPayload;
    }

    public void setMaxControlLine(int bytes) {
        maxControlLine = bytes;
    }

    public void setMaxPayload(int bytes) {
        maxPayload = bytes;
    }

    public void setHeadersAllowed(boolean allowed) {
        headersAllowed = allowed;
    }

    /** Has somebody look on; null for nobody. */
    public void setTap(ProtocolTap onlooker) {
        tap = onlooker;
    }

    /** Whether another operation than CONNECT is first put to the sink. */
    public void setAwaitingConnect(boolean awaiting) {
        awaitingConnect = awaiting;
    }

    /** Ends the running {@link #parse} after the current call. */
    public void stop() {
        stopped = true;
    }

    public void resume() {
        stopped = false;
    }

    /**
     * Reads from {@code from} to {@code to}.
     *
     * @return where it ended: {@code to} unless it was stopped or failed
     */
    public int parse(byte[] bytes, int from, int to) {
        int position = from;
        while (position < to && !stopped) {
            position = switch (state) {
                case OPERATION -> operation(bytes, position, to);
                case LINE -> moreOfLine(bytes, position, to);
                case IDLE_LINE -> idleLine(bytes, position, to);
                case PAYLOAD -> moreOfPayload(bytes, position, to);
                case FAILED -> to;
            };
        }
        return position;
    }

    /** Gives back memory that a finished message left; to be called when a burst of input ends. */
    public void trim() {
        if (state == State.OPERATION && message.length > KEPT_MESSAGE_BYTES) {
            message = EMPTY;
        }
    }

    public int subjectOffset() {
        return tokenStart[0];
    }

    public int subjectLength() {
        return tokenEnd[0] - tokenStart[0];
    }

    /** {@link SubjectHash} of the subject. */
    public int subjectHash() {
        return firstTokenHash;
    }

    public int replyOffset() {
        return tokenStart[1];
    }

    /** 0 when there is no reply subject. */
    public int replyLength() {
        return replyLength;
    }

    /** Length of the header block, 0 for PUB. */
    public int headerLength() {
        return headerLength;
    }

    /** Where the header block, or without one the payload, begins. */
    public int contentOffset() {
        return payloadStart;
    }

    /** Header block and payload together. */
    public int contentLength() {
        return totalLength;
    }

    /**
     * Whether everything behind the subject, from {@link #tailOffset} to the end of the payload, is written just as the
     * server would write it to a subscriber: single spaces, no leading zeros, CR LF.
     */
    public boolean isTailCanonical() {
        return canonical;
    }

    public int tailOffset() {
        return tokenStart[1];
    }

    private int operation(byte[] bytes, int position, int to) {
        if (awaitingConnect && (bytes[position] | 0x20) != 'c') {
            sink.onImplicitConnect();
            return position;
        }
        Verb verb = Verb.at(bytes, position, to);
        if (verb == null) {
            return Verb.mayBegin(bytes, position, to)
                    ? keepLine(bytes, position, to)
                    : fail(ParseFailure.UNKNOWN_OPERATION, to);
        }
        int arguments = position + verb.length();
        if (verb.isIdle()) {
            idleVerb = verb;
            state = State.IDLE_LINE;
            return arguments;
        }
        if (!scan(bytes, arguments, to)) {
            return isTooLong(bytes, to) ? fail(ParseFailure.CONTROL_LINE_TOO_LONG, to) : keepLine(bytes, position, to);
        }
        return line(verb, bytes, position, to);
    }

    /** Whether the arguments are beyond the limit before the line has ended; a CR at the end may not count. */
    private boolean isTooLong(byte[] bytes, int end) {
        int length = end - argumentsStart;
        return length - (length > 0 && bytes[end - 1] == '\r' ? 1 : 0) > maxControlLine;
    }

    private int keepLine(byte[] bytes, int position, int to) {
        lineLength = 0;
        appendToLine(bytes, position, to);
        state = State.LINE;
        return to;
    }

    private void appendToLine(byte[] bytes, int from, int to) {
        int length = to - from;
        if (line.length < lineLength + length) {
            line = Arrays.copyOf(line, Math.max(256, Math.max(lineLength + length, line.length * 2)));
        }
        System.arraycopy(bytes, from, line, lineLength, length);
        lineLength += length;
    }

    private int moreOfLine(byte[] bytes, int position, int to) {
        int end = position;
        while (end < to && bytes[end] != '\n') {
            end++;
        }
        // The verb first, so that lines whose rest means nothing are never gathered.
        int room = lineLength < Verb.LONGEST ? Verb.LONGEST - lineLength : maxControlLine + Verb.LONGEST;
        int take = Math.min(end < to ? end + 1 : to, position + room);
        appendToLine(bytes, position, take);
        Verb verb = Verb.at(line, 0, lineLength);
        if (verb == null) {
            return Verb.mayBegin(line, 0, lineLength) ? take : fail(ParseFailure.UNKNOWN_OPERATION, to);
        }
        if (verb.isIdle()) {
            return resumeIdle(verb, take);
        }
        if (!scan(line, verb.length(), lineLength)) {
            return isTooLong(line, lineLength) ? fail(ParseFailure.CONTROL_LINE_TOO_LONG, to) : take;
        }
        state = State.OPERATION;
        line(verb, line, 0, lineLength);
        releaseLine();
        return state == State.FAILED ? to : take;
    }

    private int resumeIdle(Verb verb, int take) {
        idleVerb = verb;
        state = State.IDLE_LINE;
        boolean ended = line[lineLength - 1] == '\n';
        releaseLine();
        if (ended) {
            endIdleLine();
        }
        return take;
    }

    private void releaseLine() {
        lineLength = 0;
        if (line.length > KEPT_MESSAGE_BYTES) {
            line = EMPTY;
        }
    }

    private int idleLine(byte[] bytes, int position, int to) {
        for (int i = position; i < to; i++) {
            if (bytes[i] == '\n') {
                endIdleLine();
                return i + 1;
            }
        }
        return to;
    }

    private void endIdleLine() {
        state = State.OPERATION;
        if (tap != null && idleVerb != Verb.OK) {
            tap.line(idleVerb.name(), EMPTY, 0, 0);
        }
        if (idleVerb == Verb.PING) {
            sink.onPing();
        } else if (idleVerb == Verb.PONG) {
            sink.onPong();
        }
    }

    /** Splits the arguments up to LF. False when the line is not whole. */
    private boolean scan(byte[] bytes, int from, int to) {
        int i = from;
        while (i < to && (bytes[i] == ' ' || bytes[i] == '\t')) {
            i++;
        }
        argumentsStart = i;
        int count = 0;
        while (i < to) {
            byte c = bytes[i];
            if (c == '\n') {
                tokens = count;
                lineEnd = i + 1;
                return true;
            }
            if (isSeparator(c)) {
                i++;
                continue;
            }
            int start = i;
            int hash = 0;
            while (i < to && !isSeparator(bytes[i])) {
                hash = SubjectHash.extend(hash, bytes[i]);
                i++;
            }
            if (count < MAX_TOKENS) {
                tokenStart[count] = start;
                tokenEnd[count] = i;
            }
            if (count == 0) {
                firstTokenHash = hash;
            }
            count++;
        }
        return false;
    }

    private static boolean isSeparator(byte c) {
        return c <= ' ' && (c == ' ' || c == '\n' || c == '\r' || c == '\t');
    }

    /** Acts on a whole line; gives the position behind it or behind its payload. */
    private int line(Verb verb, byte[] bytes, int start, int to) {
        int end = lineEnd - 1;
        if (end > argumentsStart && bytes[end - 1] == '\r') {
            end--;
        }
        if (end - argumentsStart > maxControlLine) {
            return fail(ParseFailure.CONTROL_LINE_TOO_LONG, to);
        }
        if (tap != null && verb != Verb.INFO && verb != Verb.ERR) {
            tap.line(verb.name(), bytes, argumentsStart, Math.max(0, end - argumentsStart));
        }
        return switch (verb) {
            case PUB, HPUB -> publish(verb == Verb.HPUB, bytes, start, to);
            case SUB -> subscribe(bytes, to);
            case UNSUB -> unsubscribe(bytes, to);
            case CONNECT -> {
                int after = lineEnd;
                sink.onConnect(bytes, argumentsStart, Math.max(0, end - argumentsStart));
                yield after;
            }
            case ERR -> fail(ParseFailure.ERROR_FROM_PEER, to);
            case INFO, OK, PING, PONG -> lineEnd;
        };
    }

    private int subscribe(byte[] bytes, int to) {
        if (tokens < 2 || tokens > 3) {
            return fail(ParseFailure.MALFORMED_ARGUMENTS, to);
        }
        int after = lineEnd;
        int queueLength = tokens == 3 ? tokenEnd[1] - tokenStart[1] : 0;
        int sid = tokens - 1;
        sink.onSubscribe(
                bytes,
                tokenStart[0],
                tokenEnd[0] - tokenStart[0],
                tokenStart[1],
                queueLength,
                tokenStart[sid],
                tokenEnd[sid] - tokenStart[sid]);
        return after;
    }

    private int unsubscribe(byte[] bytes, int to) {
        if (tokens < 1 || tokens > 2) {
            return fail(ParseFailure.MALFORMED_ARGUMENTS, to);
        }
        int after = lineEnd;
        int max = tokens == 2 ? size(bytes, 1) : 0;
        sink.onUnsubscribe(bytes, tokenStart[0], tokenEnd[0] - tokenStart[0], max);
        return after;
    }

    private int publish(boolean withHeaders, byte[] bytes, int start, int to) {
        if (withHeaders && !headersAllowed) {
            return fail(ParseFailure.HEADERS_NOT_AGREED, to);
        }
        int fixed = withHeaders ? 3 : 2;
        if (tokens != fixed && tokens != fixed + 1) {
            return fail(ParseFailure.MALFORMED_ARGUMENTS, to);
        }
        totalLength = size(bytes, tokens - 1);
        headerLength = withHeaders ? size(bytes, tokens - 2) : 0;
        if (totalLength < 0 || headerLength < 0 || headerLength > totalLength) {
            return fail(ParseFailure.MALFORMED_ARGUMENTS, to);
        }
        if (maxPayload >= 0 && totalLength > maxPayload) {
            return fail(ParseFailure.PAYLOAD_TOO_LARGE, to);
        }
        replyLength = tokens == fixed + 1 ? tokenEnd[1] - tokenStart[1] : 0;
        canonical = isCanonical(bytes, withHeaders);
        payloadStart = lineEnd;
        int needed = totalLength + 2;
        if (bytes != line && to - lineEnd >= needed) {
            return emit(bytes, lineEnd + needed, to);
        }
        return gather(bytes, start, to, needed);
    }

    private boolean isCanonical(byte[] bytes, boolean withHeaders) {
        int last = tokens - 1;
        for (int i = 1; i < last; i++) {
            if (bytes[tokenEnd[i]] != ' ' || tokenStart[i + 1] != tokenEnd[i] + 1) {
                return false;
            }
        }
        boolean digits = hasNoLeadingZero(bytes, last) && (!withHeaders || hasNoLeadingZero(bytes, last - 1));
        return digits && lineEnd == tokenEnd[last] + 2 && bytes[lineEnd - 2] == '\r';
    }

    private boolean hasNoLeadingZero(byte[] bytes, int token) {
        return bytes[tokenStart[token]] != '0' || tokenEnd[token] - tokenStart[token] == 1;
    }

    private int emit(byte[] bytes, int after, int to) {
        if (bytes[after - 2] != '\r' || bytes[after - 1] != '\n') {
            return fail(ParseFailure.UNKNOWN_OPERATION, to);
        }
        if (tap != null) {
            tap.content(bytes, payloadStart, headerLength, totalLength);
        }
        sink.onPublish(this, bytes);
        return after;
    }

    /** Moves the line to the front of the message buffer, to which the payload is then added. */
    private int gather(byte[] bytes, int start, int to, int needed) {
        int lineBytes = lineEnd - start;
        messageNeeded = lineBytes + needed;
        ensureMessage(Math.min(messageNeeded, lineBytes + FIRST_MESSAGE_BYTES));
        System.arraycopy(bytes, start, message, 0, lineBytes);
        messageFilled = lineBytes;
        for (int i = 0; i < tokens; i++) {
            tokenStart[i] -= start;
            tokenEnd[i] -= start;
        }
        payloadStart = lineBytes;
        int after = lineEnd;
        state = State.PAYLOAD;
        return bytes == line ? to : moreOfPayload(bytes, after, to);
    }

    private void ensureMessage(int capacity) {
        if (message.length < capacity) {
            message = Arrays.copyOf(message, capacity);
        }
    }

    private int moreOfPayload(byte[] bytes, int position, int to) {
        int take = Math.min(to - position, messageNeeded - messageFilled);
        if (message.length < messageFilled + take) {
            ensureMessage(Math.min(messageNeeded, Math.max(messageFilled + take, message.length * 2)));
        }
        System.arraycopy(bytes, position, message, messageFilled, take);
        messageFilled += take;
        if (messageFilled == messageNeeded - 1 && message[messageFilled - 1] != '\r') {
            return fail(ParseFailure.UNKNOWN_OPERATION, to);
        }
        if (messageFilled == messageNeeded) {
            state = State.OPERATION;
            emit(message, messageNeeded, to);
        }
        return state == State.FAILED ? to : position + take;
    }

    /** The number in a token, or -1 when it is none or has more than nine digits. */
    private int size(byte[] bytes, int token) {
        int start = tokenStart[token];
        int end = tokenEnd[token];
        if (end - start > MAX_SIZE_DIGITS) {
            return -1;
        }
        int value = 0;
        for (int i = start; i < end; i++) {
            int digit = bytes[i] - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            value = value * 10 + digit;
        }
        return value;
    }

    private int fail(ParseFailure failure, int to) {
        state = State.FAILED;
        line = EMPTY;
        message = EMPTY;
        sink.onFailure(failure);
        return to;
    }
}
