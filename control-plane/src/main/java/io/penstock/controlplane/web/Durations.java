package io.penstock.controlplane.web;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as the API writes them: `90s`, `15m`, `72h`, `1h30m`, `250ms`; `d` is read as 24 hours. */
public final class Durations {
    private static final Pattern WHOLE = Pattern.compile("(-?)((?:\\d{1,12}(?:\\.\\d{1,9})?(?:ns|us|µs|ms|s|m|h|d))+)");
    private static final Pattern PART = Pattern.compile("(\\d{1,12}(?:\\.\\d{1,9})?)(ns|us|µs|ms|s|m|h|d)");

    private Durations() {}

    /** Fails with IllegalArgumentException on anything else, and beyond 292 years. */
    public static Duration parse(String text) {
        return Duration.ofNanos(parseNanos(text));
    }

    public static long parseNanos(String text) {
        if ("0".equals(text)) {
            return 0;
        }
        Matcher whole = WHOLE.matcher(text);
        if (!whole.matches()) {
            throw new IllegalArgumentException("not a duration such as 90s, 15m or 72h: " + text);
        }
        BigDecimal sum = BigDecimal.ZERO;
        Matcher part = PART.matcher(whole.group(2));
        while (part.find()) {
            sum = sum.add(new BigDecimal(part.group(1)).multiply(BigDecimal.valueOf(nanosOf(part.group(2)))));
        }
        try {
            long nanos = sum.setScale(0, java.math.RoundingMode.HALF_UP).longValueExact();
            return whole.group(1).isEmpty() ? nanos : -nanos;
        } catch (ArithmeticException tooLong) {
            throw new IllegalArgumentException("the duration is longer than 292 years: " + text, tooLong);
        }
    }

    /** The shortest spelling in hours, minutes and seconds, or of a smaller unit below a second. */
    public static String format(long nanos) {
        if (nanos == 0) {
            return "0s";
        }
        if (nanos < 0) {
            return "-" + format(-nanos);
        }
        if (nanos < 1_000_000_000L) {
            return nanos % 1_000_000 == 0
                    ? nanos / 1_000_000 + "ms"
                    : nanos % 1000 == 0 ? nanos / 1000 + "us" : nanos + "ns";
        }
        long hours = nanos / 3_600_000_000_000L;
        long minutes = nanos / 60_000_000_000L % 60;
        long rest = nanos % 60_000_000_000L;
        StringBuilder out = new StringBuilder();
        if (hours > 0) {
            out.append(hours).append('h');
        }
        if (minutes > 0) {
            out.append(minutes).append('m');
        }
        if (rest > 0) {
            out.append(BigDecimal.valueOf(rest, 9).stripTrailingZeros().toPlainString())
                    .append('s');
        }
        return out.toString();
    }

    private static long nanosOf(String unit) {
        return switch (unit) {
            case "ns" -> 1L;
            case "us", "µs" -> 1_000L;
            case "ms" -> 1_000_000L;
            case "s" -> 1_000_000_000L;
            case "m" -> 60_000_000_000L;
            case "h" -> 3_600_000_000_000L;
            default -> 86_400_000_000_000L;
        };
    }
}
