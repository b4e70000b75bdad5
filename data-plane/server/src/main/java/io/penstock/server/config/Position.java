package io.penstock.server.config;

/**
 * A place in a configuration file.
 *
 * @param file name as it was given, empty for text that came from elsewhere
 * @param line from 1
 * @param column bytes from the start of the line: from 0 on the first line, from 1 on all others, as users of this
 *     file format know it
 */
public record Position(String file, int line, int column) {
    /** The form used in messages: {@code file:line:column}. */
    @Override
    public String toString() {
        return file + ":" + line + ":" + column;
    }
}
