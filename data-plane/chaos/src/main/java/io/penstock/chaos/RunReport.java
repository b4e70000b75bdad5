package io.penstock.chaos;

import java.util.List;

/**
 * One run.
 *
 * @param strikes how often the fault struck, each proved
 * @param acked operations answered
 * @param longestGapMillis longest time without an acknowledgement, faults and recovery included
 * @param recoveryMillis from the end of the faults to all nodes healthy, -1 when they were not in time
 * @param violations what was wrong; empty is the pass line
 */
record RunReport(
        String workload,
        String fault,
        long seed,
        int strikes,
        long acked,
        long longestGapMillis,
        long recoveryMillis,
        int violationCount,
        List<String> violations) {
    boolean passed() {
        return violationCount == 0;
    }

    String line() {
        return "%s %-3s seed %-20d strikes %2d  acked %7d  longest gap %6d ms  recovery %6d ms  %s"
                .formatted(
                        workload,
                        fault,
                        seed,
                        strikes,
                        acked,
                        longestGapMillis,
                        recoveryMillis,
                        passed() ? "ok" : violationCount + " VIOLATIONS");
    }
}
