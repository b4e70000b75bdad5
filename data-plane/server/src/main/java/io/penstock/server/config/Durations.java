package io.penstock.server.config;

import java.math.BigDecimal;
import java.time.Duration;

/** Durations as the configuration writes them: {@code 1m30s}, {@code 250ms}, {@code 1.5h}. */
public final class Durations {
    private Durations() {}

    /**
     * Reads a duration.
     *
     * @throws IllegalArgumentException when it is none, with a text for the user
     */
    public static Duration parse(String text) {
        int at = text.startsWith("-") || text.startsWith("+") ? 1 : 0;
        boolean negative = text.startsWith("-");
        if (text.substring(at).equals("0")) {
            return Duration.ZERO;
        }
        if (at == text.length()) {
            throw invalid(text);
        }
        BigDecimal nanos = BigDecimal.ZERO;
        while (at < text.length()) {
            int start = at;
            while (at < text.length() && (Cursor.isDigit(text.charAt(at)) || text.charAt(at) == '.')) {
                at++;
            }
            String number = text.substring(start, at);
            int unitStart = at;
            while (at < text.length() && !Cursor.isDigit(text.charAt(at)) && text.charAt(at) != '.') {
                at++;
            }
            String unit = text.substring(unitStart, at);
            if (unit.isEmpty()) {
                throw new IllegalArgumentException("time: missing unit in duration \"" + text + "\"");
            }
            try {
                nanos = nanos.add(new BigDecimal(number).multiply(BigDecimal.valueOf(nanosOf(unit, text))));
            } catch (NumberFormatException e) {
                throw invalid(text);
            }
        }
        if (nanos.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
            throw invalid(text);
        }
        return Duration.ofNanos(negative ? -nanos.longValue() : nanos.longValue());
    }

    /** The shortest usual form, largest unit first: {@code 2m0s}, {@code 1h0m0s}, {@code 1.5s}, {@code 250ms}. */
    public static String format(Duration duration) {
        long nanos = duration.toNanos();
        if (nanos < 0) {
            return "-" + format(duration.negated());
        }
        if (nanos == 0) {
            return "0s";
        }
        if (nanos < 1_000) {
            return nanos + "ns";
        }
        if (nanos < 1_000_000) {
            return plain(nanos, 3) + "µs";
        }
        if (nanos < 1_000_000_000) {
            return plain(nanos, 6) + "ms";
        }
        long hours = duration.toHours();
        int minutes = duration.toMinutesPart();
        String seconds = plain(nanos % 60_000_000_000L, 9) + "s";
        if (hours > 0) {
            return hours + "h" + minutes + "m" + seconds;
        }
        return minutes > 0 ? minutes + "m" + seconds : seconds;
    }

    private static String plain(long nanos, int scale) {
        BigDecimal value = BigDecimal.valueOf(nanos, scale).stripTrailingZeros();
        return value.signum() == 0 ? "0" : value.toPlainString();
    }

    private static long nanosOf(String unit, String text) {
        return switch (unit) {
            case "ns" -> 1L;
            case "us", "µs", "μs" -> 1_000L;
            case "ms" -> 1_000_000L;
            case "s" -> 1_000_000_000L;
            case "m" -> 60_000_000_000L;
            case "h" -> 3_600_000_000_000L;
            default ->
                throw new IllegalArgumentException("time: unknown unit \"" + unit + "\" in duration \"" + text + "\"");
        };
    }

    private static IllegalArgumentException invalid(String text) {
        return new IllegalArgumentException("time: invalid duration \"" + text + "\"");
    }
}
