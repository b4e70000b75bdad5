package io.penstock.benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One run of {@code nats bench} and the rate it prints. */
final class NatsBench {
    private static final long LIMIT_SECONDS = 180;
    private static final Pattern RATE = Pattern.compile("stats: ([\\d,]+) msgs/sec");
    private static final Pattern P50 = Pattern.compile("P50: ([\\d,.]+)us");
    private static final Pattern AGGREGATE = Pattern.compile("aggregated stats.*?: ([\\d,]+) msgs/sec");

    private final Process process;
    private final String command;

    private NatsBench(Process process, String command) {
        this.process = process;
        this.command = command;
    }

    static NatsBench start(Path cli, String url, String arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(cli.toString(), "--server", url, "bench"));
        command.addAll(List.of(arguments.split(" ")));
        command.add("--no-progress");
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("NATS_CONTEXT", "");
        return new NatsBench(builder.start(), String.join(" ", command.subList(3, command.size())));
    }

    /** Makes the stream that {@code nats bench js} uses by default, in files and with one replica. */
    static void createStream(Path cli, String url) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        cli.toString(),
                        "--server",
                        url,
                        "stream",
                        "add",
                        "benchstream",
                        "--subjects",
                        "bench.js",
                        "--storage",
                        "file",
                        "--defaults")
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException("the stream could not be made:\n" + output);
        }
    }

    /** Removes the consumer of an earlier run, so that the next one starts at the beginning; there may be none. */
    static void removeConsumer(Path cli, String url) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        cli.toString(), "--server", url, "consumer", "rm", "benchstream", "nats-bench", "-f")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        int _ = process.waitFor();
    }

    /** Waits for the end and reads the figures. */
    Figures await() throws IOException, InterruptedException {
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IOException("nats " + command + " did not end in " + LIMIT_SECONDS + " s");
        }
        if (process.exitValue() != 0) {
            throw new IOException("nats " + command + " failed:\n" + output);
        }
        return parse(output);
    }

    /**
     * What one client command printed.
     *
     * @param rate messages a second, over all clients of the command
     * @param p50Micros median latency of a publish in microseconds, 0 when the command prints none
     */
    record Figures(double rate, double p50Micros) {}

    static Figures parse(String output) throws IOException {
        Matcher aggregate = AGGREGATE.matcher(output);
        Matcher rate = RATE.matcher(output);
        if (aggregate.find()) {
            return new Figures(number(aggregate.group(1)), latency(output));
        }
        if (!rate.find()) {
            throw new IOException("no rate in the output of nats bench:\n" + output);
        }
        return new Figures(number(rate.group(1)), latency(output));
    }

    private static double latency(String output) {
        Matcher matcher = P50.matcher(output);
        return matcher.find() ? number(matcher.group(1)) : 0;
    }

    private static double number(String text) {
        return Double.parseDouble(text.replace(",", ""));
    }
}
