package io.penstock.chaos;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.penstock.chaos.fault.Fault;
import io.penstock.chaos.workload.Workload;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Workloads under faults; the cells of the matrix are drawn from the seed. */
@Command(
        name = "cluster",
        mixinStandardHelpOptions = true,
        description =
                "Workloads under faults on three nodes with networks and disks of their own. Needs root. Ends with 1"
                        + " when an invariant was violated.")
final class ClusterCommand implements Callable<Integer> {
    @Mixin
    private Place place;

    @Option(names = "--runs", defaultValue = "4", description = "How many runs. Default: 4.")
    private int runs;

    @Option(names = "--seconds", defaultValue = "60", description = "Seconds of faults in a run. Default: 60.")
    private int seconds;

    @Option(names = "--seed", description = "Repeats a draw. Default: another each time.")
    private Long seed;

    @Option(names = "--workload", split = ",", description = "Only these: ${COMPLETION-CANDIDATES}.")
    private List<Workload.Kind> workloads;

    @Option(names = "--fault", split = ",", description = "Only these: ${COMPLETION-CANDIDATES}.")
    private List<Fault> faults;

    @Option(names = "--report", description = "Writes the runs as JSON to this file.")
    private Path report;

    private record Cell(Workload.Kind workload, Fault fault) {}

    @Override
    public Integer call() throws Exception {
        long first = seed == null ? System.nanoTime() : seed;
        System.out.printf("seed %d%n", first);
        Random random = new Random(first);
        List<Cell> cells = new ArrayList<>();
        while (cells.size() < runs) {
            List<Cell> round = new ArrayList<>();
            for (Workload.Kind workload : workloads == null ? Arrays.asList(Workload.Kind.values()) : workloads) {
                for (Fault fault : faults == null ? Arrays.asList(Fault.values()) : faults) {
                    round.add(new Cell(workload, fault));
                }
            }
            Collections.shuffle(round, random);
            cells.addAll(round);
        }
        List<RunReport> reports = new ArrayList<>();
        for (Cell cell : cells.subList(0, runs)) {
            reports.add(run(cell, random.nextLong()));
            if (report != null) {
                Files.writeString(
                        report,
                        new ObjectMapper()
                                .enable(SerializationFeature.INDENT_OUTPUT)
                                .writeValueAsString(reports));
            }
        }
        summary(reports);
        return reports.stream().allMatch(RunReport::passed) ? 0 : 1;
    }

    private RunReport run(Cell cell, long runSeed) throws Exception {
        Path folder = place.folder(cell.workload() + "-" + cell.fault() + "-" + Long.toHexString(runSeed));
        RunReport result = new ChaosRun(
                        place.server(), folder, place.jetStream(), Duration.ofSeconds(5), Duration.ofSeconds(seconds))
                .run(cell.workload(), cell.fault(), runSeed);
        System.out.println(result.line());
        result.violations().stream().limit(10).forEach(violation -> System.out.println("    " + violation));
        if (result.passed()) {
            place.remove(folder);
        } else {
            System.out.println("    logs and stores: " + folder);
        }
        return result;
    }

    private static void summary(List<RunReport> reports) {
        long[] gaps =
                reports.stream().mapToLong(RunReport::longestGapMillis).sorted().toArray();
        long acked = reports.stream().mapToLong(RunReport::acked).sum();
        long violated = reports.stream().filter(result -> !result.passed()).count();
        System.out.printf(
                "%d runs, %d operations acknowledged, longest gap p50 %d ms, max %d ms, %d runs with violations%n",
                reports.size(), acked, gaps[gaps.length / 2], gaps[gaps.length - 1], violated);
    }
}
