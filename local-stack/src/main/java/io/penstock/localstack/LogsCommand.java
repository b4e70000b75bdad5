package io.penstock.localstack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows a log. */
@Command(name = "logs", mixinStandardHelpOptions = true, description = "Shows the log of one service.")
final class LogsCommand implements Callable<Integer> {
    @Mixin
    private HomeOption home;

    @Parameters(paramLabel = "SERVICE", description = "A name that status shows.")
    private String service;

    @Option(
            names = {"-f", "--follow"},
            description = "Go on showing what comes.")
    private boolean follow;

    @Option(
            names = {"-n", "--lines"},
            defaultValue = "200",
            description = "How many of the last lines. Default: 200.")
    private int lines;

    @Override
    public Integer call() throws IOException, InterruptedException {
        StackHome folder = home.home();
        Path log = folder.log(service);
        if (!Files.exists(log)) {
            throw new StackException(
                    "there is no log of \"" + service + "\"; logs exist of: " + known(log.getParent()));
        }
        ProcessBuilder tail = follow
                ? new ProcessBuilder("tail", "-n", Integer.toString(lines), "-F", log.toString())
                : new ProcessBuilder("tail", "-n", Integer.toString(lines), log.toString());
        return tail.inheritIO().start().waitFor();
    }

    private static String known(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return "nothing yet";
        }
        try (Stream<Path> logs = Files.list(folder)) {
            return logs.map(path -> path.getFileName().toString().replace(".log", ""))
                    .sorted()
                    .collect(Collectors.joining(", "));
        }
    }
}
