package io.penstock.benchmarks;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Gathers the rounds of each scenario and prints medians and ratios. */
final class Report {
    /**
     * One round of one side.
     *
     * @param rate messages a second
     * @param cpuNanos server CPU a message, in nanoseconds
     * @param p50Micros median latency in microseconds, 0 when not measured
     */
    record Round(double rate, double cpuNanos, double p50Micros) {}

    private final Map<String, Map<Side, List<Round>>> scenarios = new LinkedHashMap<>();

    void add(String scenario, Side side, Round round) {
        scenarios
                .computeIfAbsent(scenario, _ -> new EnumMap<>(Side.class))
                .computeIfAbsent(side, _ -> new ArrayList<>())
                .add(round);
        System.err.printf(
                "%-44s %-9s %,12.0f msg/s %,9.0f ns CPU/msg%s%n",
                scenario,
                side,
                round.rate(),
                round.cpuNanos(),
                round.p50Micros() > 0 ? String.format("  p50 %.1f us", round.p50Micros()) : "");
    }

    void print() {
        System.out.printf(
                "%n%-44s %12s %12s %6s %11s %11s %6s %9s %9s %6s%n",
                "scenario (medians)",
                "ours msg/s",
                "reference",
                "ratio",
                "ours ns/msg",
                "reference",
                "ratio",
                "ours p50",
                "reference",
                "ratio");
        scenarios.forEach((name, sides) -> {
            List<Round> ours = sides.getOrDefault(Side.OURS, List.of());
            List<Round> reference = sides.getOrDefault(Side.REFERENCE, List.of());
            System.out.printf("%-44s", name);
            column(ours, reference, Round::rate, 12);
            column(ours, reference, Round::cpuNanos, 11);
            if (ours.stream().anyMatch(r -> r.p50Micros() > 0)) {
                column(ours, reference, Round::p50Micros, 9);
            }
            System.out.println();
        });
    }

    private static void column(List<Round> ours, List<Round> reference, ToDoubleFunction<Round> figure, int width) {
        double our = median(ours.stream().map(figure::applyAsDouble).toList());
        double their = median(reference.stream().map(figure::applyAsDouble).toList());
        String form = " %," + width + ".0f %," + width + ".0f %6.2f";
        System.out.printf(form, our, their, our / their);
    }

    static double median(List<Double> values) {
        if (values.isEmpty()) {
            return Double.NaN;
        }
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }
}
