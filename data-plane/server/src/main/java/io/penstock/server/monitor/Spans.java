package io.penstock.server.monitor;

import java.time.Duration;

/** Writes spans of time as {@code 1y2d3h4m5s}, without leading zero units. */
final class Spans {
    private static final long DAYS_A_YEAR = 365;

    private Spans() {}

    static String format(Duration span) {
        long days = Math.max(span.toDays(), 0);
        StringBuilder text = new StringBuilder();
        if (days >= DAYS_A_YEAR) {
            text.append(days / DAYS_A_YEAR).append('y');
        }
        if (days > 0) {
            text.append(days % DAYS_A_YEAR).append('d');
        }
        if (!text.isEmpty() || span.toHours() > 0) {
            text.append(span.toHoursPart()).append('h');
        }
        if (!text.isEmpty() || span.toMinutes() > 0) {
            text.append(span.toMinutesPart()).append('m');
        }
        return text.append(Math.max(span.toSecondsPart(), 0)).append('s').toString();
    }
}
