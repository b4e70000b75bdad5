package io.penstock.broker.engine;

import io.penstock.broker.TraceOptions;
import io.penstock.protocol.ProtocolTap;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * Writes what one side sends and is sent, a line for each operation. There is one only while tracing is on. Lines come
 * from the connection's loop, deliveries from any lane.
 */
final class ProtocolTrace implements ProtocolTap {
    private static final String IN = " - <<- ";
    private static final String OUT = " - ->> ";
    private static final String OVER = " - <-> ";
    private static final byte[] ERROR = "-ERR '".getBytes(StandardCharsets.US_ASCII);
    private static final int ERROR_END = "'\r\n".length();
    private static final String CONNECT = "CONNECT";

    private final TraceOptions options;
    /** Who it is about; changes when a connection has logged in. */
    private final Supplier<String> label;

    ProtocolTrace(TraceOptions options, Supplier<String> label) {
        this.options = options;
        this.label = label;
    }

    @Override
    public void line(String verb, byte[] bytes, int offset, int length) {
        StringBuilder line = begin(IN).append('[').append(verb);
        if (length > 0) {
            line.append(' ');
        }
        if (verb.equals(CONNECT)) {
            ConnectRedaction.append(line, bytes, offset, length);
        } else {
            Quoted.appendPlain(line, bytes, offset, offset + length);
        }
        end(line.append(']'));
    }

    @Override
    public void content(byte[] bytes, int offset, int headers, int length) {
        content(IN, bytes, offset, headers, length);
    }

    /** A message goes to it. */
    void delivered(Frame message, boolean headers, String sid, byte[] subject, int subjectOffset, int subjectLength) {
        boolean withHeaders = headers && message.headerLength > 0;
        StringBuilder line = begin(OUT).append(withHeaders ? "[HMSG " : "[MSG ");
        Quoted.appendPlain(line, subject, subjectOffset, subjectOffset + subjectLength);
        line.append(' ').append(sid).append(' ');
        if (message.replyLength > 0) {
            Quoted.appendPlain(
                    line, message.replyBytes, message.replyOffset, message.replyOffset + message.replyLength);
            line.append(' ');
        }
        if (withHeaders) {
            line.append(message.headerLength).append(' ');
        }
        line.append(withHeaders ? message.contentLength() : message.payloadLength);
        end(line.append(']'));
        content(OUT, message, withHeaders);
    }

    /** A part of the server publishes one. */
    static void published(TraceOptions options, Frame message) {
        String part = message.internalOrigin.kind().text().toUpperCase(Locale.ROOT);
        new ProtocolTrace(options, () -> part).published(message);
    }

    private void published(Frame message) {
        StringBuilder line = begin(IN).append(message.headerLength > 0 ? "[HPUB " : "[PUB ");
        Quoted.appendPlain(
                line, message.subjectBytes, message.subjectOffset, message.subjectOffset + message.subjectLength);
        line.append(' ');
        Quoted.appendPlain(line, message.replyBytes, message.replyOffset, message.replyOffset + message.replyLength);
        line.append(' ');
        if (message.headerLength > 0) {
            line.append(message.headerLength).append(' ');
        }
        end(line.append(message.contentLength()).append(']'));
        content(IN, message, true);
    }

    private void content(String direction, Frame message, boolean withHeaders) {
        int headers = withHeaders ? message.headerLength : 0;
        byte[] all = new byte[headers + message.payloadLength];
        System.arraycopy(message.headerBytes, message.headerOffset, all, 0, headers);
        System.arraycopy(message.payloadBytes, message.payloadOffset, all, headers, message.payloadLength);
        content(direction, all, 0, headers, all.length);
    }

    private void content(String direction, byte[] bytes, int offset, int headers, int length) {
        // A header block ends with an empty line, which is not shown.
        int shown = options.headersOnly() ? headers - 4 : length;
        if (shown <= 0) {
            return;
        }
        boolean cut = options.maxBytes() > 0 && shown > options.maxBytes();
        StringBuilder line = begin(direction).append("MSG_PAYLOAD: [\"");
        Quoted.append(line, bytes, offset, offset + (cut ? options.maxBytes() : shown));
        end(line.append(cut ? "...\"]" : "\"]"));
    }

    /** A line goes to it. */
    void told(String line) {
        end(begin(OUT).append('[').append(line).append(']'));
    }

    /** A message goes to it under this head. */
    void told(String head, Frame message) {
        told(head);
        content(OUT, message, true);
    }

    /** Bytes that are no message go to it. INFO is not traced. */
    void sent(byte[] bytes) {
        switch (bytes[0]) {
            case '-' -> {
                StringBuilder line = begin(OUT).append("[-ERR ");
                Quoted.appendPlain(line, bytes, ERROR.length, bytes.length - ERROR_END);
                end(line.append(']'));
            }
            case '+' -> end(begin(OUT).append("[OK]"));
            case 'P' -> end(begin(OUT).append(bytes[1] == 'I' ? "[PING]" : "[PONG]"));
            default -> {
                // INFO, and the answer that nobody listens.
            }
        }
    }

    /** A subscription has ended. */
    void ended(String sid) {
        end(begin(OVER).append("[DELSUB ").append(sid).append(']'));
    }

    private StringBuilder begin(String direction) {
        return new StringBuilder(128).append(label.get()).append(direction);
    }

    private void end(StringBuilder line) {
        options.lines().accept(line.toString());
    }
}
