package io.penstock.jetstream.state;

import java.nio.charset.StandardCharsets;

/**
 * What the headers of a message say about the atomic batch it belongs to.
 *
 * @param id of the batch, not empty
 * @param idBytes length of the id on the wire
 * @param sequence place in the batch, from 1; {@link #MISSING} when none is given
 * @param requiredLevel level of the API the message asks for; 0 when it asks for none, {@link #MISSING} when what it asks
 *     for is not a number
 */
public record BatchPart(String id, int idBytes, long sequence, Commit commit, long requiredLevel) {
    /** A number that is not there. */
    public static final long MISSING = -1;

    /** Whether a message ends its batch. */
    public enum Commit {
        /** More messages follow. */
        NONE,
        /** The message is the last one of the batch. */
        STORE,
        /** The batch ended with the message before; this one is not stored. */
        END_OF_BATCH,
        /** The message asks for something that does not exist. */
        INVALID
    }

    private static final String ID = "Nats-Batch-Id";
    private static final String SEQUENCE = "Nats-Batch-Sequence";
    private static final String COMMIT = "Nats-Batch-Commit";
    private static final String LEVEL = "Nats-Required-Api-Level";

    /** What the header block says, or null when the message belongs to no batch. */
    public static BatchPart of(byte[] bytes, int offset, int length) {
        int end = offset + length;
        String id = value(bytes, offset, end, ID);
        if (id == null || id.isEmpty()) {
            return null;
        }
        String commit = value(bytes, offset, end, COMMIT);
        String level = value(bytes, offset, end, LEVEL);
        return new BatchPart(
                new String(id.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8),
                id.length(),
                number(value(bytes, offset, end, SEQUENCE)),
                commit(commit),
                level == null || level.isEmpty() ? 0 : number(level));
    }

    private static Commit commit(String value) {
        return switch (value) {
            case null -> Commit.NONE;
            case "1" -> Commit.STORE;
            case "eob" -> Commit.END_OF_BATCH;
            default -> Commit.INVALID;
        };
    }

    private static long number(String value) {
        if (value == null || value.isEmpty() || value.length() > 18) {
            return MISSING;
        }
        for (int i = 0; i < value.length(); i++) {
            if (value.charAt(i) < '0' || value.charAt(i) > '9') {
                return MISSING;
            }
        }
        return Long.parseLong(value);
    }

    /** The first value of a header as bytes of the wire, or null. */
    private static String value(byte[] bytes, int offset, int end, String name) {
        int line = nextLine(bytes, offset, end);
        while (line < end) {
            int next = nextLine(bytes, line, end);
            if (names(bytes, line, next, name)) {
                int from = line + name.length() + 1;
                return new String(bytes, from, next - from, StandardCharsets.ISO_8859_1).strip();
            }
            line = next;
        }
        return null;
    }

    private static boolean names(byte[] bytes, int line, int next, String name) {
        if (next - line <= name.length() || bytes[line + name.length()] != ':') {
            return false;
        }
        for (int i = 0; i < name.length(); i++) {
            if (bytes[line + i] != name.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private static int nextLine(byte[] bytes, int from, int end) {
        for (int i = from; i < end; i++) {
            if (bytes[i] == '\n') {
                return i + 1;
            }
        }
        return end;
    }

    /** The header block as it is stored: without the level asked for; null when it is as it came. */
    public static byte[] withoutLevel(byte[] bytes, int offset, int length) {
        int end = offset + length;
        int line = nextLine(bytes, offset, end);
        while (line < end) {
            int next = nextLine(bytes, line, end);
            if (names(bytes, line, next, LEVEL)) {
                byte[] left = new byte[length - (next - line)];
                System.arraycopy(bytes, offset, left, 0, line - offset);
                System.arraycopy(bytes, next, left, line - offset, end - next);
                return left;
            }
            line = next;
        }
        return null;
    }
}
