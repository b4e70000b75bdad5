package io.penstock.server.config;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Locale;

/** Reads strings, numbers, booleans and dates. What a bare word means depends on how it begins and ends. */
final class ScalarReader {
    private static final String ESCAPES = "\\xXX, \\t, \\n, \\r, \\\", \\\\";

    private final Cursor cursor;

    ScalarReader(Cursor cursor) {
        this.cursor = cursor;
    }

    /** A bare word before it is known what it is: a variable reference has no value of its own. */
    record Bare(String word, boolean escaped) {
        boolean isVariable() {
            return !escaped && word.startsWith("$");
        }
    }

    /** Between single quotes, nothing is special. The opening quote is read already. */
    String singleQuoted() throws ConfigException {
        int start = cursor.offset();
        while (cursor.peek() != '\'') {
            if (cursor.atEnd()) {
                throw cursor.error("Unexpected EOF in a string: the closing ' is missing");
            }
            cursor.next();
        }
        String value = cursor.since(start);
        cursor.next();
        return utf8(value);
    }

    /** Between double quotes, with escapes. The opening quote is read already. */
    String doubleQuoted() throws ConfigException {
        StringBuilder value = new StringBuilder();
        while (cursor.peek() != '"') {
            if (cursor.atEnd()) {
                throw cursor.error("Unexpected EOF in a string: the closing \" is missing");
            }
            char c = cursor.next();
            value.append(c == '\\' ? escape() : c);
        }
        cursor.next();
        return utf8(value.toString());
    }

    /** Everything up to a {@code )} alone on its line. The opening parenthesis is read already. */
    String block() throws ConfigException {
        int start = cursor.offset();
        char previous = '(';
        while (true) {
            if (cursor.atEnd()) {
                throw cursor.error("Unexpected EOF processing block: a ) alone on its line ends it");
            }
            char after = cursor.peek(1);
            if (cursor.peek() == ')' && previous == '\n' && (after == '\n' || after == Cursor.END)) {
                String value = cursor.since(start);
                cursor.next();
                return utf8(value);
            }
            previous = cursor.next();
        }
    }

    /** A word without quotes: ends at blanks, line breaks, {@code ; , ] \}} and behind a single quote. */
    Bare bare() throws ConfigException {
        StringBuilder word = new StringBuilder();
        boolean escaped = false;
        while (!endsBare(cursor.peek())) {
            char c = cursor.next();
            if (c == '\'') {
                break;
            }
            if (c == '\\') {
                escaped = true;
                word.append(escape());
            } else {
                word.append(c);
            }
        }
        return new Bare(utf8(word.toString()), escaped);
    }

    ConfigValue negative(Position position) throws ConfigException {
        int start = cursor.offset();
        cursor.next();
        if (!Cursor.isDigit(cursor.peek())) {
            throw cursor.error("Expected a digit but got '" + Cursor.show(cursor.peek()) + "'.");
        }
        return number(start, position);
    }

    /** Anything that begins with a digit: a number, a size, a date, an address or a word. */
    ConfigValue number(int start, Position position) throws ConfigException {
        skipDigits();
        char c = cursor.peek();
        if (c == '-' && cursor.offset() - start == 4) {
            return date(start, position);
        }
        if (c == '-') {
            throw cursor.error("All ISO8601 dates must be in full Zulu form.");
        }
        if (c == '.') {
            return decimalOrAddress(start, position);
        }
        if (isSizeLetter(c)) {
            cursor.next();
            while (cursor.peek() == 'b' || cursor.peek() == 'B' || cursor.peek() == 'i' || cursor.peek() == 'I') {
                cursor.next();
            }
        }
        if (endsBare(cursor.peek())) {
            return whole(cursor.since(start), position);
        }
        return new ConfigValue.Text(utf8(cursor.since(start)) + bare().word(), position);
    }

    private ConfigValue decimalOrAddress(int start, Position position) throws ConfigException {
        cursor.next();
        if (!Cursor.isDigit(cursor.peek())) {
            throw cursor.error(
                    "Floats must have a digit after the '.', but got '" + Cursor.show(cursor.peek()) + "' instead.");
        }
        skipDigits();
        if (cursor.peek() != '.') {
            return new ConfigValue.Decimal(Double.parseDouble(cursor.since(start)), position);
        }
        while (Cursor.isDigit(cursor.peek()) || cursor.peek() == '.' || cursor.peek() == ':' || cursor.peek() == '-') {
            cursor.next();
        }
        return new ConfigValue.Text(cursor.since(start), position);
    }

    private ConfigValue date(int start, Position position) throws ConfigException {
        while (!endsBare(cursor.peek())) {
            cursor.next();
        }
        String word = cursor.since(start);
        try {
            if (word.length() == 20 && word.endsWith("Z")) {
                return new ConfigValue.Moment(Instant.parse(word), position);
            }
        } catch (DateTimeParseException e) {
            throw new ConfigException(position, "expected Zulu formatted DateTime, but got '" + word + "'");
        }
        throw new ConfigException(position, "All ISO8601 dates must be in full Zulu form, not '" + word + "'");
    }

    private static ConfigValue whole(String word, Position position) throws ConfigException {
        int digits = word.startsWith("-") ? 1 : 0;
        while (digits < word.length() && Cursor.isDigit(word.charAt(digits))) {
            digits++;
        }
        long factor = factor(word.substring(digits).toLowerCase(Locale.ROOT));
        if (factor == 0) {
            throw new ConfigException(position, "expected integer, but got '" + word + "'");
        }
        try {
            return new ConfigValue.Whole(
                    Math.multiplyExact(Long.parseLong(word.substring(0, digits)), factor), position);
        } catch (NumberFormatException | ArithmeticException e) {
            throw new ConfigException(position, "integer '" + word + "' is out of the range");
        }
    }

    /** The factor of a size suffix in lower case; a single letter is decimal, all others are binary; 0 is unknown. */
    private static long factor(String suffix) {
        if (suffix.isEmpty()) {
            return 1;
        }
        int power = "kmgtpe".indexOf(suffix.charAt(0)) + 1;
        return switch (suffix.substring(1)) {
            case "" -> (long) Math.pow(1000, power);
            case "b", "i", "ib" -> 1L << (10 * power);
            default -> 0;
        };
    }

    private char escape() throws ConfigException {
        char c = cursor.next();
        return switch (c) {
            case 't' -> '\t';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case '"' -> '"';
            case '\\' -> '\\';
            case 'x' -> {
                int high = Character.digit(cursor.next(), 16);
                int low = Character.digit(cursor.next(), 16);
                if (high < 0 || low < 0) {
                    throw cursor.error("Expected two hexadecimal digits after '\\x'");
                }
                yield (char) (high << 4 | low);
            }
            default ->
                throw cursor.error("Invalid escape character '" + Cursor.show(c)
                        + "'. Only the following escape characters are allowed: " + ESCAPES + ".");
        };
    }

    private void skipDigits() {
        while (Cursor.isDigit(cursor.peek())) {
            cursor.next();
        }
    }

    private static boolean isSizeLetter(char c) {
        return "kKmMgGtTpPeE".indexOf(c) >= 0;
    }

    private static boolean endsBare(char c) {
        return Cursor.isLineBreak(c)
                || c == Cursor.END
                || c == ';'
                || c == ','
                || c == ']'
                || c == '}'
                || c == ' '
                || c == '\t';
    }

    static String utf8(String bytes) {
        for (int i = 0; i < bytes.length(); i++) {
            if (bytes.charAt(i) > 127) {
                return new String(bytes.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
            }
        }
        return bytes;
    }
}
