package io.penstock.benchmarks;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Which programs are measured. */
final class Servers {
    @Option(names = "--ours", required = true, description = "Our nats-server executable.")
    private Path ours;

    @Option(names = "--reference", required = true, description = "The reference nats-server executable.")
    private Path reference;

    @Option(names = "--nats", required = true, description = "The nats CLI.")
    private Path cli;

    @Option(names = "--rounds", defaultValue = "5", description = "Interleaved rounds; the median counts. Default: 5.")
    private int rounds;

    static String plain(Side side) {
        return side == Side.OURS ? "ours" : "reference";
    }

    Path executable(Side side) {
        return side == Side.OURS ? ours : reference;
    }

    Path cli() {
        return cli;
    }

    int rounds() {
        return rounds;
    }
}
