package io.penstock.jetstream.state;

import java.nio.charset.StandardCharsets;

/** Builds and reads blocks of message headers. */
public final class Headers {
    /** No headers. */
    public static final byte[] NONE = {};

    private static final String FIRST_LINE = "NATS/1.0\r\n";

    private Headers() {}

    /** A block with a status line and these lines, each already ended by CRLF. */
    public static byte[] status(String status, String lines) {
        return ("NATS/1.0 " + status + "\r\n" + lines + "\r\n").getBytes(StandardCharsets.UTF_8);
    }

    /** A block of these lines, each already ended by CRLF. */
    public static byte[] of(String lines) {
        return (FIRST_LINE + lines + "\r\n").getBytes(StandardCharsets.UTF_8);
    }

    /** The block with more lines at its end, each already ended by CRLF. */
    public static byte[] append(byte[] block, String lines) {
        if (block.length < 4) {
            return of(lines);
        }
        byte[] added = lines.getBytes(StandardCharsets.UTF_8);
        byte[] all = new byte[block.length + added.length];
        int body = block.length - 2;
        System.arraycopy(block, 0, all, 0, body);
        System.arraycopy(added, 0, all, body, added.length);
        all[all.length - 2] = '\r';
        all[all.length - 1] = '\n';
        return all;
    }

    /** The first value of a header, or null. Names are compared as they are written. */
    public static String value(byte[] block, String name) {
        String text = new String(block, StandardCharsets.ISO_8859_1);
        int at = text.indexOf("\n" + name + ":");
        if (at < 0) {
            return null;
        }
        int from = at + name.length() + 2;
        int to = text.indexOf('\r', from);
        return text.substring(from, to < 0 ? text.length() : to).strip();
    }
}
