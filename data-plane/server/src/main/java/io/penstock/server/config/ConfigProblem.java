package io.penstock.server.config;

/**
 * Something wrong in a configuration.
 *
 * @param position where, or null when it is about the configuration as a whole
 */
public record ConfigProblem(Position position, String message) {
    /** The line shown to the user. */
    @Override
    public String toString() {
        return position == null ? message : position + ": " + message;
    }
}
