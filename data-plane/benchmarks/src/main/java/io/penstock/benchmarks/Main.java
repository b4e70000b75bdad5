package io.penstock.benchmarks;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Measurements of whole processes, ours and the reference server interleaved in one run. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        subcommands = {
            CoreCommand.class,
            JetStreamCommand.class,
            ClusterCommand.class,
            ScaleCommand.class,
            StartCommand.class,
            RecoveryCommand.class
        },
        description = "Measures this broker against a real nats-server.")
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        System.exit(new CommandLine(new Main())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .execute(args));
    }
}
