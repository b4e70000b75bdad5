package io.penstock.broker;

import java.util.function.Consumer;

/**
 * Which lines of the protocol are traced, and where to. Tracing is for finding mistakes: it costs a line of the log for
 * every operation, and what it is off for costs nothing.
 *
 * @param clients whether what clients send and are sent is traced
 * @param system whether what the server itself publishes is traced too
 * @param headersOnly whether of contents only the header blocks are shown
 * @param maxBytes of a content that are shown; 0, the default, is all
 * @param lines takes each line, on any thread
 */
public record TraceOptions(boolean clients, boolean system, boolean headersOnly, int maxBytes, Consumer<String> lines) {
    /** Nothing is traced; the default. */
    public static final TraceOptions OFF = new TraceOptions(false, false, false, 0, line -> {});
}
