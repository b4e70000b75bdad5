package io.penstock.server.config;

/**
 * A read position in a text whose chars are the bytes of the file (ISO-8859-1), with line and column. {@link #END}
 * stands for the end of the text; a NUL in the text counts as one too.
 */
final class Cursor {
    static final char END = 0;

    private final String file;
    private final String text;
    private int offset;
    private int line = 1;
    /** Offset of the line break before this line, 0 on the first line: columns count from it. */
    private int lineStart;

    Cursor(String file, String text) {
        this.file = file;
        this.text = text;
    }

    char peek() {
        return offset < text.length() ? text.charAt(offset) : END;
    }

    char peek(int ahead) {
        return offset + ahead < text.length() ? text.charAt(offset + ahead) : END;
    }

    char next() {
        if (offset >= text.length()) {
            return END;
        }
        char c = text.charAt(offset);
        if (c == '\n') {
            line++;
            lineStart = offset;
        }
        offset++;
        return c;
    }

    boolean atEnd() {
        return peek() == END;
    }

    int offset() {
        return offset;
    }

    String since(int start) {
        return text.substring(start, offset);
    }

    Position position() {
        return new Position(file, line, offset - lineStart);
    }

    ConfigException error(String message) {
        return new ConfigException(position(), message);
    }

    /** Spaces and tabs. */
    void skipBlanks() {
        while (peek() == ' ' || peek() == '\t') {
            next();
        }
    }

    /** Blanks, line breaks and comments. */
    void skipSpaceAndComments() {
        while (true) {
            if (isSpace(peek())) {
                next();
            } else if (!skipComment()) {
                return;
            }
        }
    }

    /** A comment up to its line break, which stays; false when there is none here. */
    boolean skipComment() {
        if (peek() != '#' && !(peek() == '/' && peek(1) == '/')) {
            return false;
        }
        while (!atEnd() && !isLineBreak(peek())) {
            next();
        }
        return true;
    }

    static boolean isSpace(char c) {
        return c == ' ' || (c >= '\t' && c <= '\r');
    }

    static boolean isLineBreak(char c) {
        return c == '\n' || c == '\r';
    }

    static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    /** How a char is shown in a message. */
    static String show(char c) {
        return switch (c) {
            case END -> "end of file";
            case '\n' -> "\\n";
            case '\r' -> "\\r";
            case '\t' -> "\\t";
            default -> String.valueOf(c);
        };
    }
}
