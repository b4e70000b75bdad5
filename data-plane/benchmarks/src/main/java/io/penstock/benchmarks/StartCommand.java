package io.penstock.benchmarks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** From fork to the first accepted connection. */
@Command(name = "start", mixinStandardHelpOptions = true, description = "Median time from exec to listening.")
final class StartCommand implements Callable<Integer> {
    @Mixin
    private Servers servers;

    @Option(names = "--starts", defaultValue = "20", description = "Starts of each side. Default: 20.")
    private int starts;

    @Override
    public Integer call() throws IOException {
        for (String configuration : List.of("", "jetstream { store_dir: \"@STORE@\" }\n")) {
            String label = configuration.isEmpty() ? "core" : "with JetStream";
            List<Double> ours = new ArrayList<>();
            List<Double> reference = new ArrayList<>();
            for (int i = 0; i < starts; i++) {
                ours.add(once(Side.OURS, configuration));
                reference.add(once(Side.REFERENCE, configuration));
            }
            System.out.printf(
                    "exec to listening, %s: ours median %.0f ms (max %.0f), reference median %.0f ms%n",
                    label,
                    Report.median(ours),
                    ours.stream().mapToDouble(Double::doubleValue).max().orElse(Double.NaN),
                    Report.median(reference));
        }
        return 0;
    }

    private double once(Side side, String configuration) throws IOException {
        try (ServerProcess server = ServerProcess.start(servers.executable(side), configuration)) {
            return server.startNanos() / 1e6;
        }
    }
}
