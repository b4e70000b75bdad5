package io.penstock.broker.auth;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Optional;

/** The times of day at which a user may be connected. */
final class TimeWindows {
    /**
     * One range of the day; an end before the start lies on the next day.
     *
     * @param start {@code HH:MM:SS}
     * @param end {@code HH:MM:SS}
     */
    record Window(String start, String end) {}

    private TimeWindows() {}

    /**
     * How long a user may stay from now on: empty when not now, {@link Duration#ZERO} without bound.
     *
     * @param location IANA zone, or null or empty for the zone of this machine
     */
    static Optional<Duration> remaining(List<Window> windows, String location, Instant now) {
        if (windows.isEmpty()) {
            return Optional.of(Duration.ZERO);
        }
        try {
            ZoneId zone = location == null || location.isEmpty() ? ZoneId.systemDefault() : ZoneId.of(location);
            ZonedDateTime here = now.atZone(zone);
            for (Window window : windows) {
                Optional<Duration> rest = remaining(window, here);
                if (rest.isPresent()) {
                    return rest;
                }
            }
            return Optional.empty();
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    private static Optional<Duration> remaining(Window window, ZonedDateTime now) {
        LocalTime start = LocalTime.parse(window.start());
        LocalTime end = LocalTime.parse(window.end());
        boolean crossesMidnight = end.isBefore(start);
        LocalDate today = now.toLocalDate();
        for (LocalDate day : crossesMidnight ? List.of(today.minusDays(1), today) : List.of(today)) {
            ZonedDateTime from = day.atTime(start).atZone(now.getZone());
            ZonedDateTime until =
                    (crossesMidnight ? day.plusDays(1) : day).atTime(end).atZone(now.getZone());
            if (!now.isBefore(from) && now.isBefore(until)) {
                return Optional.of(Duration.between(now, until));
            }
        }
        return Optional.empty();
    }
}
