package io.penstock.chaos;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code ./penstock chaos}. */
@Command(
        name = "chaos",
        mixinStandardHelpOptions = true,
        subcommands = {ClusterCommand.class, FailoverCommand.class, RollingCommand.class, DrillCommand.class},
        description = "A cluster of three server processes under faults.")
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        System.exit(new CommandLine(new Main()).execute(args));
    }
}
