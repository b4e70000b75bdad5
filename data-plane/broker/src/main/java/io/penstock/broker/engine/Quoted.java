package io.penstock.broker.engine;

/** Shows bytes in a line of the log: readable text as it is, everything else escaped. */
final class Quoted {
    private static final String CONTROLS = "abtnvfr";
    private static final int FIRST_CONTROL = 0x07;

    private Quoted() {}

    /** Appends bytes as they stand between double quotes. */
    static void append(StringBuilder out, byte[] bytes, int from, int to) {
        int i = from;
        while (i < to) {
            byte b = bytes[i];
            if (b == '"' || b == '\\') {
                out.append('\\').append((char) b);
                i++;
            } else {
                i = appendCharacter(out, bytes, i, to, true);
            }
        }
    }

    /** Appends bytes as they are, but for what would break the line or the reader's terminal. */
    static void appendPlain(StringBuilder out, byte[] bytes, int from, int to) {
        int i = from;
        while (i < to) {
            i = appendCharacter(out, bytes, i, to, false);
        }
    }

    private static int appendCharacter(StringBuilder out, byte[] bytes, int at, int to, boolean named) {
        int first = bytes[at] & 0xff;
        if (first < 0x80) {
            appendAscii(out, first, named);
            return at + 1;
        }
        int length = lengthOf(first);
        int code = length == 0 || at + length > to ? -1 : decode(bytes, at, length);
        if (code < 0) {
            appendHex(out, first, "\\x", 2);
            return at + 1;
        }
        if (isPrintable(code)) {
            out.appendCodePoint(code);
        } else if (code < 0x10000) {
            appendHex(out, code, "\\u", 4);
        } else {
            appendHex(out, code, "\\U", 8);
        }
        return at + length;
    }

    private static void appendAscii(StringBuilder out, int c, boolean named) {
        int control = c - FIRST_CONTROL;
        if (named && control >= 0 && control < CONTROLS.length()) {
            out.append('\\').append(CONTROLS.charAt(control));
        } else if ((c < ' ' && c != '\t') || c == 0x7f) {
            appendHex(out, c, "\\x", 2);
        } else {
            out.append((char) c);
        }
    }

    private static void appendHex(StringBuilder out, int value, String prefix, int digits) {
        out.append(prefix);
        for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) {
            out.append(Character.forDigit(value >>> shift & 0xf, 16));
        }
    }

    /** Bytes of a character that begins so, 0 for none. */
    private static int lengthOf(int first) {
        if (first >= 0xf0) {
            return first <= 0xf4 ? 4 : 0;
        }
        return first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0;
    }

    /** The character, or -1 when the bytes are not its one encoding. */
    private static int decode(byte[] bytes, int at, int length) {
        int code = bytes[at] & (0xff >> (length + 1));
        for (int i = 1; i < length; i++) {
            int next = bytes[at + i];
            if ((next & 0xc0) != 0x80) {
                return -1;
            }
            code = code << 6 | (next & 0x3f);
        }
        int least = length == 2 ? 0x80 : length == 3 ? 0x800 : 0x10000;
        boolean surrogate = code >= Character.MIN_SURROGATE && code <= Character.MAX_SURROGATE;
        return code < least || code > Character.MAX_CODE_POINT || surrogate ? -1 : code;
    }

    private static boolean isPrintable(int code) {
        return switch (Character.getType(code)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SPACE_SEPARATOR -> false;
            default -> true;
        };
    }
}
