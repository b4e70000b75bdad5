package io.penstock.benchmarks;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

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
                "%-34s %-9s %,12.0f msg/s %,9.0f ns CPU/msg%s%n",
                scenario,
                side,
                round.rate(),
                round.cpuNanos(),
                round.p50Micros() > 0 ? String.format("  p50 %.1f us", round.p50Micros()) : "");
    }

    void print() {
        System.out.printf(
                "%n%-34s %14s %14s %7s %12s %12s %7s%n",
                "scenario (medians)", "ours msg/s", "reference", "ratio", "ours ns/msg", "reference", "ratio");
        scenarios.forEach((name, sides) -> {
            List<Round> ours = sides.getOrDefault(Side.OURS, List.of());
            List<Round> reference = sides.getOrDefault(Side.REFERENCE, List.of());
            double ourRate = median(ours.stream().map(Round::rate).toList());
            double theirRate = median(reference.stream().map(Round::rate).toList());
            double ourCpu = median(ours.stream().map(Round::cpuNanos).toList());
            double theirCpu = median(reference.stream().map(Round::cpuNanos).toList());
            System.out.printf(
                    "%-34s %,14.0f %,14.0f %7.2f %,12.0f %,12.0f %7.2f%n",
                    name, ourRate, theirRate, ourRate / theirRate, ourCpu, theirCpu, ourCpu / theirCpu);
        });
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
