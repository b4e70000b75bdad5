package io.penstock.broker.route;

import io.penstock.protocol.ParseFailure;
import io.penstock.protocol.SubjectHash;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads what another node sends, in pieces of any size. Messages that lie whole in a piece are reported in place; only
 * what straddles pieces is copied. Not thread-safe: one parser belongs to one route.
 *
 * <pre>
 *   CONNECT json | INFO json | PING | PONG | -ERR text | +OK
 *   RS+ account pattern [queue weight]
 *   RS- account pattern [queue]
 *   RMSG account subject [= shown] [reply | + reply queue… | "|" queue…] size           payload
 *   HMSG account subject [= shown] [reply | + reply queue… | "|" queue…] headers total  payload
 * </pre>
 *
 * {@code = shown} names the subject that receivers are to see when it is not the one that is routed by. On a route that
 * carries one account only, the account is left out.
 */
public final class RouteParser {
    private static final int KEPT_BYTES = 64 * 1024;
    private static final int MAX_SIZE_DIGITS = 9;
    private static final int MAX_CONTENT = 256 * 1024 * 1024;
    private static final byte[] EMPTY = {};

    private final RouteSink sink;
    private final int maxLine;
    private boolean accountOmitted;
    private boolean open;
    private boolean stopped;
    private boolean failed;

    /** The beginning of an operation whose rest has not come yet. */
    private byte[] held = EMPTY;

    private int heldLength;
    /** Bytes of the operation in {@link #held}, 0 while its line is not whole. */
    private int heldNeeded;

    private int[] tokenStart = new int[16];
    private int[] tokenEnd = new int[16];
    private int tokens;

    private int shown;
    private int reply;
    private int firstQueue;
    private int queues;
    private int headerLength;
    private int totalLength;
    private int contentStart;
    private int tail;

    /** @param maxLine bytes of one line */
    public RouteParser(RouteSink sink, int maxLine) {
        this.sink = sink;
        this.maxLine = maxLine;
    }

    /** Whether lines name no account. */
    public void setAccountOmitted(boolean omitted) {
        accountOmitted = omitted;
    }

    /** Lets messages and interest in; before, only what belongs to the greeting is read. */
    public void open() {
        open = true;
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
     * @return where it ended: {@code to} unless it was stopped
     */
    public int parse(byte[] bytes, int from, int to) {
        int position = from;
        while (position < to && !stopped && !failed) {
            position = heldLength == 0 ? direct(bytes, position, to) : more(bytes, position, to);
        }
        return failed ? to : position;
    }

    /** Gives back memory that a finished message left; to be called when a burst of input ends. */
    public void trim() {
        if (heldLength == 0 && held.length > KEPT_BYTES) {
            held = EMPTY;
        }
    }

    private int direct(byte[] bytes, int position, int to) {
        int lineEnd = scan(bytes, position, to);
        if (lineEnd < 0) {
            if (to - position > maxLine) {
                return fail(ParseFailure.CONTROL_LINE_TOO_LONG, to);
            }
            if (!mayBegin(bytes[position])) {
                return fail(ParseFailure.UNKNOWN_OPERATION, to);
            }
            hold(bytes, position, to);
            return to;
        }
        int needed = line(bytes, position, lineEnd);
        if (failed || needed == 0) {
            return lineEnd;
        }
        if (to - position >= needed) {
            emit(bytes, position + needed);
            return position + needed;
        }
        heldNeeded = needed;
        hold(bytes, position, to);
        return to;
    }

    private int more(byte[] bytes, int position, int to) {
        if (heldNeeded > 0) {
            return moreOfMessage(bytes, position, to);
        }
        int end = position;
        while (end < to && bytes[end] != '\n') {
            end++;
        }
        int take = end < to ? end + 1 : to;
        if (heldLength + take - position > maxLine) {
            return fail(ParseFailure.CONTROL_LINE_TOO_LONG, to);
        }
        hold(bytes, position, take);
        if (end == to) {
            return to;
        }
        int lineEnd = scan(held, 0, heldLength);
        heldNeeded = line(held, 0, lineEnd);
        if (heldNeeded == 0) {
            heldLength = 0;
        }
        return take;
    }

    private int moreOfMessage(byte[] bytes, int position, int to) {
        int take = Math.min(to - position, heldNeeded - heldLength);
        hold(bytes, position, position + take);
        if (heldLength == heldNeeded) {
            // Offsets of the line are those of where it lay before.
            int lineEnd = scan(held, 0, heldLength);
            line(held, 0, lineEnd);
            int needed = heldNeeded;
            heldLength = 0;
            heldNeeded = 0;
            emit(held, needed);
        }
        return position + take;
    }

    private void hold(byte[] bytes, int from, int to) {
        int length = to - from;
        int wanted = heldLength + length;
        if (held.length < wanted) {
            // A message is given its whole room at once; a line grows.
            held = Arrays.copyOf(held, Math.max(heldNeeded, Math.max(wanted, Math.max(512, held.length * 2))));
        }
        System.arraycopy(bytes, from, held, heldLength, length);
        heldLength = wanted;
    }

    private static boolean mayBegin(byte first) {
        return switch (first) {
            case 'R', 'H', 'P', 'I', 'C', '-', '+' -> true;
            default -> false;
        };
    }

    /** Splits a line at blanks, the verb too. Gives the position behind LF, -1 when the line is not whole. */
    private int scan(byte[] bytes, int from, int to) {
        int count = 0;
        int i = from;
        while (i < to) {
            byte c = bytes[i];
            if (c == '\n') {
                tokens = count;
                return i + 1;
            }
            if (isBlank(c)) {
                i++;
                continue;
            }
            int start = i;
            while (i < to && !isBlank(bytes[i]) && bytes[i] != '\n') {
                i++;
            }
            if (count == tokenStart.length) {
                tokenStart = Arrays.copyOf(tokenStart, count * 2);
                tokenEnd = Arrays.copyOf(tokenEnd, count * 2);
            }
            tokenStart[count] = start;
            tokenEnd[count] = i;
            count++;
        }
        return -1;
    }

    private static boolean isBlank(byte c) {
        return c == ' ' || c == '\r' || c == '\t';
    }

    /** Acts on a whole line. Gives the bytes of the operation when a payload follows, else 0. */
    private int line(byte[] bytes, int start, int lineEnd) {
        if (tokens == 0) {
            failLine();
            return 0;
        }
        int verb = tokenStart[0];
        int verbLength = tokenEnd[0] - verb;
        switch (bytes[verb]) {
            case 'R' -> {
                if (is(bytes, verb, verbLength, "RMSG")) {
                    return message(bytes, start, lineEnd, false);
                }
                if (is(bytes, verb, verbLength, "RS+")) {
                    interest(bytes, true);
                } else if (is(bytes, verb, verbLength, "RS-")) {
                    interest(bytes, false);
                } else {
                    failLine();
                }
            }
            case 'H' -> {
                if (is(bytes, verb, verbLength, "HMSG")) {
                    return message(bytes, start, lineEnd, true);
                }
                failLine();
            }
            default -> rare(bytes, verb, verbLength, lineEnd);
        }
        return 0;
    }

    private void rare(byte[] bytes, int verb, int verbLength, int lineEnd) {
        int end = lineEnd - 1;
        if (end > verb && bytes[end - 1] == '\r') {
            end--;
        }
        int arguments = tokens > 1 ? tokenStart[1] : end;
        int length = Math.max(0, end - arguments);
        if (is(bytes, verb, verbLength, "PING")) {
            sink.onPing();
        } else if (is(bytes, verb, verbLength, "PONG")) {
            sink.onPong();
        } else if (is(bytes, verb, verbLength, "INFO")) {
            sink.onInfo(bytes, arguments, length);
        } else if (is(bytes, verb, verbLength, "CONNECT")) {
            sink.onConnect(bytes, arguments, length);
        } else if (is(bytes, verb, verbLength, "-ERR")) {
            sink.onError(bytes, arguments, length);
        } else if (!is(bytes, verb, verbLength, "+OK")) {
            failLine();
        }
    }

    private static boolean is(byte[] bytes, int at, int length, String verb) {
        if (length != verb.length()) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (bytes[at + i] != verb.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private void interest(byte[] bytes, boolean wanted) {
        int base = accountOmitted ? 1 : 2;
        int least = base + 1;
        int most = base + (wanted ? 3 : 2);
        if (!open || tokens < least || tokens > most || (wanted && tokens == base + 2)) {
            failArguments();
            return;
        }
        String queue = tokens > least ? text(bytes, base + 1) : null;
        int weight = wanted ? 1 : 0;
        if (wanted && queue != null) {
            weight = size(bytes, base + 2);
            if (weight < 1) {
                failArguments();
                return;
            }
        }
        sink.onInterest(accountOmitted ? null : text(bytes, 1), text(bytes, base), queue, weight);
    }

    private String text(byte[] bytes, int token) {
        return new String(bytes, tokenStart[token], tokenEnd[token] - tokenStart[token], StandardCharsets.ISO_8859_1);
    }

    private int message(byte[] bytes, int start, int lineEnd, boolean withHeaders) {
        int subject = subjectToken();
        int sizes = withHeaders ? 2 : 1;
        int middle = tokens - sizes - subject - 1;
        if (!open || middle < 0) {
            failArguments();
            return 0;
        }
        totalLength = size(bytes, tokens - 1);
        headerLength = withHeaders ? size(bytes, tokens - 2) : 0;
        if (totalLength < 0 || headerLength < 0 || headerLength > totalLength || totalLength > MAX_CONTENT) {
            failArguments();
            return 0;
        }
        contentStart = lineEnd;
        tail = middle <= 1 && isCanonical(bytes, subject + 1, lineEnd) ? tokenStart[subject + 1] : -1;
        if (!middle(bytes, subject + 1, middle)) {
            failArguments();
            return 0;
        }
        return lineEnd - start + totalLength + 2;
    }

    /** Reads what stands between subject and sizes. */
    private boolean middle(byte[] bytes, int first, int count) {
        shown = -1;
        reply = -1;
        queues = 0;
        firstQueue = 0;
        int at = first;
        int left = count;
        if (left >= 2 && isMark(bytes, at, '=')) {
            shown = at + 1;
            at += 2;
            left -= 2;
        }
        if (left == 1) {
            reply = at;
        } else if (left >= 2 && isMark(bytes, at, '|')) {
            firstQueue = at + 1;
            queues = left - 1;
        } else if (left >= 3 && isMark(bytes, at, '+')) {
            reply = at + 1;
            firstQueue = at + 2;
            queues = left - 2;
        } else if (left > 0) {
            return false;
        }
        return true;
    }

    private boolean isMark(byte[] bytes, int token, char mark) {
        return tokenEnd[token] - tokenStart[token] == 1 && bytes[tokenStart[token]] == mark;
    }

    /** Whether everything from this token on is written just as a client would be sent it. */
    private boolean isCanonical(byte[] bytes, int token, int lineEnd) {
        for (int i = token; i < tokens; i++) {
            boolean last = i == tokens - 1;
            if (!last && (bytes[tokenEnd[i]] != ' ' || tokenStart[i + 1] != tokenEnd[i] + 1)) {
                return false;
            }
        }
        return lineEnd == tokenEnd[tokens - 1] + 2 && bytes[lineEnd - 2] == '\r';
    }

    /** The number in a token, or -1 when it is none, too long, or begins with a needless zero. */
    private int size(byte[] bytes, int token) {
        int start = tokenStart[token];
        int end = tokenEnd[token];
        if (end - start > MAX_SIZE_DIGITS || (end - start > 1 && bytes[start] == '0')) {
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

    private void emit(byte[] bytes, int end) {
        if (bytes[end - 2] != '\r' || bytes[end - 1] != '\n') {
            failLine();
            return;
        }
        sink.onMessage(this, bytes);
    }

    private void failLine() {
        fail(ParseFailure.UNKNOWN_OPERATION, 0);
    }

    private void failArguments() {
        fail(ParseFailure.MALFORMED_ARGUMENTS, 0);
    }

    private int fail(ParseFailure failure, int to) {
        if (!failed) {
            failed = true;
            sink.onFailure(failure);
        }
        return to;
    }

    // The message at hand.

    /** Where its line begins, with the verb. */
    public int lineOffset() {
        return tokenStart[0];
    }

    private int subjectToken() {
        return accountOmitted ? 1 : 2;
    }

    public int accountOffset() {
        return tokenStart[1];
    }

    /** 0 on a route that carries one account only. */
    public int accountLength() {
        return accountOmitted ? 0 : tokenEnd[1] - tokenStart[1];
    }

    public int subjectOffset() {
        return tokenStart[subjectToken()];
    }

    public int subjectLength() {
        return tokenEnd[subjectToken()] - tokenStart[subjectToken()];
    }

    /** {@link SubjectHash} of the subject. */
    public int subjectHash(byte[] bytes) {
        return SubjectHash.of(bytes, subjectOffset(), subjectLength());
    }

    /** Whether receivers see another subject than the one it is routed by. */
    public boolean hasShown() {
        return shown >= 0;
    }

    public byte[] shown(byte[] bytes) {
        return Arrays.copyOfRange(bytes, tokenStart[shown], tokenEnd[shown]);
    }

    public int replyOffset() {
        return reply < 0 ? 0 : tokenStart[reply];
    }

    /** 0 when there is no reply subject. */
    public int replyLength() {
        return reply < 0 ? 0 : tokenEnd[reply] - tokenStart[reply];
    }

    /** Queue groups of which one member each is to get it. */
    public int queueCount() {
        return queues;
    }

    public int queueOffset(int index) {
        return tokenStart[firstQueue + index];
    }

    public int queueLength(int index) {
        return tokenEnd[firstQueue + index] - tokenStart[firstQueue + index];
    }

    public int headerLength() {
        return headerLength;
    }

    /** Header block and payload together. */
    public int contentLength() {
        return totalLength;
    }

    public int contentOffset() {
        return contentStart;
    }

    /** Where everything behind the subject stands as a client is sent it, or -1. */
    public int tailOffset() {
        return tail;
    }
}
