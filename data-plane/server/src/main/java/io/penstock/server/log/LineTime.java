package io.penstock.server.log;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** Writes {@code 2006/01/02 15:04:05.000000}. Not safe for several threads: its owner is the log's lock. */
final class LineTime {
    private final ZoneId zone;
    private long second = Long.MIN_VALUE;
    private String formatted = "";

    LineTime(boolean utc) {
        this.zone = utc ? ZoneOffset.UTC : localZone();
    }

    /** Loading the rules of all time zones costs start-up time, so it is left out where local time is UTC. */
    private static ZoneId localZone() {
        String name = System.getenv("TZ");
        if (name == null) {
            return isUtc(Path.of("/etc/localtime")) ? ZoneOffset.UTC : ZoneId.systemDefault();
        }
        return name.isEmpty() || name.endsWith("UTC") ? ZoneOffset.UTC : ZoneId.systemDefault();
    }

    private static boolean isUtc(Path localTime) {
        try {
            return Files.readSymbolicLink(localTime).endsWith("UTC");
        } catch (NoSuchFileException e) {
            // Systems without the file keep UTC; others than Linux may keep their zone elsewhere.
            return Files.isDirectory(Path.of("/proc/self"));
        } catch (IOException e) {
            return false;
        }
    }

    void append(StringBuilder line, Instant now) {
        if (now.getEpochSecond() != second) {
            second = now.getEpochSecond();
            formatted = format(LocalDateTime.ofInstant(now, zone));
        }
        line.append(formatted).append('.');
        digits(line, now.getNano() / 1_000, 100_000);
    }

    private static String format(LocalDateTime time) {
        StringBuilder text = new StringBuilder(19);
        digits(text, time.getYear(), 1_000);
        text.append('/');
        digits(text, time.getMonthValue(), 10);
        text.append('/');
        digits(text, time.getDayOfMonth(), 10);
        text.append(' ');
        digits(text, time.getHour(), 10);
        text.append(':');
        digits(text, time.getMinute(), 10);
        text.append(':');
        digits(text, time.getSecond(), 10);
        return text.toString();
    }

    private static void digits(StringBuilder text, int value, int highest) {
        for (int unit = highest; unit > 0; unit /= 10) {
            text.append((char) ('0' + value / unit % 10));
        }
    }
}
