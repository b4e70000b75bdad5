package io.penstock.controlplane.operation;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * What a change did to an object: how it was shown before and after, null where there is none, and what else is touched. `affected` and
 * `warnings` are for a dry run.
 */
public record Outcome<T>(
        T before, T after, Map<String, Object> affected, List<String> warnings, Instant restorableUntil) {

    public static <T> Outcome<T> created(T after) {
        return new Outcome<>(null, after, Map.of(), List.of(), null);
    }

    public static <T> Outcome<T> changed(T before, T after) {
        return new Outcome<>(before, after, Map.of(), List.of(), null);
    }

    public static <T> Outcome<T> deleted(T before) {
        return new Outcome<>(before, null, Map.of(), List.of(), null);
    }

    public Outcome<T> affecting(Map<String, Object> what) {
        return new Outcome<>(before, after, what, warnings, restorableUntil);
    }

    public Outcome<T> warning(String... sentences) {
        return new Outcome<>(before, after, affected, List.of(sentences), restorableUntil);
    }

    public Outcome<T> restorableUntil(Instant end) {
        return new Outcome<>(before, after, affected, warnings, end);
    }
}
