package io.penstock.protocol.jetstream;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoField;

/** Times and durations as the protocol writes them: RFC 3339 with up to nine digits, and words such as {@code 1m30s}. */
public final class GoTime {
    /** The time that stands for none. */
    public static final Instant ZERO = Instant.parse("0001-01-01T00:00:00Z");

    private GoTime() {}

    /** The instant of so many nanoseconds since the epoch. */
    public static Instant instant(long epochNanos) {
        return Instant.ofEpochSecond(
                Math.floorDiv(epochNanos, 1_000_000_000L), Math.floorMod(epochNanos, 1_000_000_000L));
    }

    /** Nanoseconds since the epoch, clamped to what fits. */
    public static long nanos(Instant instant) {
        if (instant.getEpochSecond() > 9_223_372_035L) {
            return Long.MAX_VALUE;
        }
        if (instant.getEpochSecond() < -9_223_372_035L) {
            return Long.MIN_VALUE;
        }
        return instant.getEpochSecond() * 1_000_000_000L + instant.get(ChronoField.NANO_OF_SECOND);
    }

    /** RFC 3339 in UTC with as many fraction digits as needed. */
    public static String format(Instant instant) {
        LocalDateTime t = LocalDateTime.ofInstant(instant, ZoneOffset.UTC);
        int nanos = instant.get(ChronoField.NANO_OF_SECOND);
        StringBuilder out = new StringBuilder(30);
        pad(out, t.getYear(), 4).append('-');
        pad(out, t.getMonthValue(), 2).append('-');
        pad(out, t.getDayOfMonth(), 2).append('T');
        pad(out, t.getHour(), 2).append(':');
        pad(out, t.getMinute(), 2).append(':');
        pad(out, t.getSecond(), 2);
        if (nanos != 0) {
            out.append('.');
            pad(out, nanos, 9);
            int end = out.length();
            while (out.charAt(end - 1) == '0') {
                end--;
            }
            out.setLength(end);
        }
        return out.append('Z').toString();
    }

    /** RFC 3339 of so many nanoseconds since the epoch. */
    public static String format(long epochNanos) {
        return format(instant(epochNanos));
    }

    /**
     * Reads RFC 3339 with any offset.
     *
     * @throws DateTimeParseException when it is not
     */
    public static Instant parse(String text) {
        return OffsetDateTime.parse(text).toInstant();
    }

    /**
     * Reads a duration such as {@code 1h}, {@code 1.5s} or {@code 250ms}.
     *
     * @return nanoseconds
     * @throws IllegalArgumentException when it is not one or does not fit
     */
    public static long parseDuration(String text) {
        int at = 0;
        boolean negative = false;
        if (!text.isEmpty() && (text.charAt(0) == '-' || text.charAt(0) == '+')) {
            negative = text.charAt(0) == '-';
            at = 1;
        }
        if (text.substring(at).equals("0")) {
            return 0;
        }
        if (at == text.length()) {
            throw invalid(text);
        }
        double total = 0;
        while (at < text.length()) {
            int start = at;
            while (at < text.length() && (Character.isDigit(text.charAt(at)) || text.charAt(at) == '.')) {
                at++;
            }
            int unit = at;
            while (at < text.length() && !Character.isDigit(text.charAt(at)) && text.charAt(at) != '.') {
                at++;
            }
            try {
                total += Double.parseDouble(text.substring(start, unit)) * unitNanos(text, text.substring(unit, at));
            } catch (NumberFormatException e) {
                throw invalid(text);
            }
        }
        if (total >= 9.2233720368e18) {
            throw invalid(text);
        }
        return (negative ? -1 : 1) * Math.round(total);
    }

    private static double unitNanos(String whole, String unit) {
        return switch (unit) {
            case "ns" -> 1;
            case "us", "µs", "μs" -> 1e3;
            case "ms" -> 1e6;
            case "s" -> 1e9;
            case "m" -> 60e9;
            case "h" -> 3600e9;
            default -> throw invalid(whole);
        };
    }

    private static IllegalArgumentException invalid(String text) {
        return new IllegalArgumentException("time: invalid duration \"" + text + "\"");
    }

    /** Writes a duration the way {@link #parseDuration} reads it: {@code 1h0m0s}, {@code 1.5s}, {@code 250ms}. */
    public static String formatDuration(long nanos) {
        if (nanos == 0) {
            return "0s";
        }
        String sign = nanos < 0 ? "-" : "";
        long n = Math.abs(nanos);
        if (n < 1_000) {
            return sign + n + "ns";
        }
        if (n < 1_000_000) {
            return sign + decimal(n, 1_000) + "µs";
        }
        if (n < 1_000_000_000L) {
            return sign + decimal(n, 1_000_000) + "ms";
        }
        long minutes = n / 60_000_000_000L;
        String seconds = decimal(n % 60_000_000_000L, 1_000_000_000L) + "s";
        if (minutes == 0) {
            return sign + seconds;
        }
        long hours = minutes / 60;
        return sign + (hours == 0 ? "" : hours + "h") + minutes % 60 + "m" + seconds;
    }

    private static String decimal(long value, long unit) {
        long rest = value % unit;
        if (rest == 0) {
            return Long.toString(value / unit);
        }
        String digits = Long.toString(unit + rest).substring(1);
        int end = digits.length();
        while (digits.charAt(end - 1) == '0') {
            end--;
        }
        return value / unit + "." + digits.substring(0, end);
    }

    private static StringBuilder pad(StringBuilder out, int value, int width) {
        String digits = Integer.toString(value);
        for (int i = digits.length(); i < width; i++) {
            out.append('0');
        }
        return out.append(digits);
    }
}
