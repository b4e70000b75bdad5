package io.penstock.protocol;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Reads and writes header blocks without a map. Keys are case-sensitive; of several lines with one key the first counts.
 * Strings hold wire bytes (ISO-8859-1).
 *
 * <pre>
 *   NATS/1.0 [ SP status [ SP description ]] CR LF
 *   key ":" [ blanks ] value CR LF      any number of times
 *   CR LF
 * </pre>
 */
public final class MessageHeaders {
    private static final byte[] VERSION = "NATS/1.0".getBytes(StandardCharsets.ISO_8859_1);
    private static final byte[] NONE = {};

    private MessageHeaders() {}

    /** Whether the bytes begin with the version line's word and end with a blank line. */
    public static boolean isBlock(byte[] block) {
        int length = block.length;
        return length >= VERSION.length + 4
                && Arrays.equals(block, 0, VERSION.length, VERSION, 0, VERSION.length)
                && block[length - 2] == '\r'
                && block[length - 1] == '\n';
    }

    /** The value of the first line with this key, without blanks around it; null when there is none. */
    public static String get(byte[] block, String key) {
        int line = find(block, key, firstLine(block));
        return line < 0 ? null : value(block, line, key);
    }

    /** All values of this key in order. */
    public static List<String> getAll(byte[] block, String key) {
        List<String> values = new ArrayList<>();
        int line = find(block, key, firstLine(block));
        while (line >= 0) {
            values.add(value(block, line, key));
            line = find(block, key, nextLine(block, line));
        }
        return values;
    }

    /** The status of the version line such as {@code 503}, or empty. */
    public static String status(byte[] block) {
        String inline = inline(block);
        int space = inline.indexOf(' ');
        return space < 0 ? inline : inline.substring(0, space);
    }

    /** The text behind the status, or empty. */
    public static String description(byte[] block) {
        String inline = inline(block);
        int space = inline.indexOf(' ');
        return space < 0 ? "" : inline.substring(space + 1).strip();
    }

    /** The block without status and description. */
    public static byte[] stripStatus(byte[] block) {
        int first = firstLine(block);
        if (first <= VERSION.length + 2) {
            return block;
        }
        byte[] plain = new byte[VERSION.length + 2 + block.length - first];
        System.arraycopy(VERSION, 0, plain, 0, VERSION.length);
        plain[VERSION.length] = '\r';
        plain[VERSION.length + 1] = '\n';
        System.arraycopy(block, first, plain, VERSION.length + 2, block.length - first);
        return plain;
    }

    /** The block without the lines of this key; empty when no line is left. */
    public static byte[] remove(byte[] block, String key) {
        byte[] result = block;
        int line = find(result, key, firstLine(result));
        while (line >= 0) {
            int next = nextLine(result, line);
            byte[] shorter = new byte[result.length - (next - line)];
            System.arraycopy(result, 0, shorter, 0, line);
            System.arraycopy(result, next, shorter, line, result.length - next);
            result = shorter;
            line = find(result, key, line);
        }
        return result.length <= VERSION.length + 4 ? NONE : result;
    }

    /** The block with one line of this key, in place of those there were. An empty block makes a new one. */
    public static byte[] set(byte[] block, String key, String value) {
        byte[] rest = block.length == 0 ? block : remove(block, key);
        byte[] base = rest.length == 0 ? builder().build() : rest;
        byte[] added = (key + ": " + value + "\r\n").getBytes(StandardCharsets.ISO_8859_1);
        byte[] result = new byte[base.length + added.length];
        int end = base.length - 2;
        System.arraycopy(base, 0, result, 0, end);
        System.arraycopy(added, 0, result, end, added.length);
        result[result.length - 2] = '\r';
        result[result.length - 1] = '\n';
        return result;
    }

    public static Builder builder() {
        return new Builder("");
    }

    /** A block with a status line such as {@code 404} and {@code No Messages}; the description may be empty. */
    public static Builder status(int status, String description) {
        return new Builder(" " + status + (description.isEmpty() ? "" : " " + description));
    }

    /** Writes a block line by line. */
    public static final class Builder {
        private final StringBuilder text = new StringBuilder("NATS/1.0");

        private Builder(String inline) {
            text.append(inline).append("\r\n");
        }

        public Builder add(String key, String value) {
            text.append(key).append(": ").append(value).append("\r\n");
            return this;
        }

        public Builder add(String key, long value) {
            return add(key, Long.toString(value));
        }

        public byte[] build() {
            return (text + "\r\n").getBytes(StandardCharsets.ISO_8859_1);
        }
    }

    private static String inline(byte[] block) {
        int end = firstLine(block) - 2;
        return end <= VERSION.length
                ? ""
                : new String(block, VERSION.length, end - VERSION.length, StandardCharsets.ISO_8859_1).strip();
    }

    private static int firstLine(byte[] block) {
        return nextLine(block, 0);
    }

    private static int nextLine(byte[] block, int from) {
        for (int i = from; i < block.length; i++) {
            if (block[i] == '\n') {
                return i + 1;
            }
        }
        return block.length;
    }

    private static int find(byte[] block, String key, int from) {
        int line = from;
        while (line < block.length) {
            if (hasKey(block, line, key)) {
                return line;
            }
            line = nextLine(block, line);
        }
        return -1;
    }

    private static boolean hasKey(byte[] block, int line, String key) {
        int length = key.length();
        if (line + length >= block.length || block[line + length] != ':') {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if ((block[line + i] & 0xff) != key.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private static String value(byte[] block, int line, String key) {
        int start = line + key.length() + 1;
        int end = nextLine(block, line);
        return new String(block, start, end - start, StandardCharsets.ISO_8859_1).strip();
    }
}
