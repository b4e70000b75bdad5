package io.penstock.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** {@code --signal}: sends a signal to a running server. */
final class SignalCommand {
    private static final String PROCESS = "nats-server";

    private SignalCommand() {}

    /**
     * Sends it.
     *
     * @param expression {@code command}, {@code command=pid}, {@code command=pid*} or {@code command=pidfile}
     */
    static void send(String expression) throws ExitException {
        String[] parts = expression.split("=", -1);
        if (parts.length > 2) {
            throw failure("invalid signal parameters: " + List.of(parts).subList(2, parts.length));
        }
        String target = parts.length == 2 ? pidOf(parts[1]) : "";
        boolean pattern = target.endsWith("*");
        String pid = pattern ? target.substring(0, target.length() - 1) : target;
        if (!pid.isEmpty() && !pid.chars().allMatch(Character::isDigit)) {
            throw failure("invalid pid: " + pid);
        }
        List<String> candidates = pid.isEmpty() || pattern ? running() : List.of(pid);
        if (candidates.size() > 1 && !pattern) {
            throw failure("multiple " + PROCESS + " processes running:\n" + String.join("\n", candidates));
        }
        if (candidates.isEmpty()) {
            throw failure("no " + PROCESS + " processes running");
        }
        String signal = signalOf(parts[0]);
        StringBuilder failures = new StringBuilder();
        for (String candidate : candidates) {
            if (candidate.startsWith(pid) && !kill(signal, candidate)) {
                failures.append("\nsignal \"" + parts[0] + "\" " + candidate + ": no such process");
            }
        }
        if (!failures.isEmpty()) {
            throw failure(failures.toString());
        }
    }

    private static String signalOf(String command) throws ExitException {
        return switch (command) {
            case "stop" -> "KILL";
            case "quit" -> "INT";
            case "term" -> "TERM";
            case "reopen" -> "USR1";
            case "reload" -> "HUP";
            case "ldm" -> "USR2";
            default -> throw failure("unknown signal \"" + command + "\"");
        };
    }

    /** The content of a pid file of this name, or the text itself. */
    private static String pidOf(String text) {
        try {
            return Files.readString(Path.of(text), StandardCharsets.UTF_8).trim();
        } catch (IOException | InvalidPathException e) {
            return text;
        }
    }

    /** Servers of this user's machine, found by what they were started as. */
    private static List<String> running() {
        List<String> pids = new ArrayList<>();
        long own = ProcessHandle.current().pid();
        ProcessHandle.allProcesses()
                .filter(process -> process.pid() != own)
                .filter(SignalCommand::isServer)
                .forEach(process -> pids.add(Long.toString(process.pid())));
        return pids;
    }

    private static boolean isServer(ProcessHandle process) {
        ProcessHandle.Info info = process.info();
        boolean byCommand = info.command()
                .map(command -> command.substring(command.lastIndexOf('/') + 1))
                .filter(PROCESS::equals)
                .isPresent();
        boolean byProperty = info.arguments()
                .filter(arguments -> List.of(arguments).contains(Main.class.getName()))
                .isPresent();
        return byCommand || byProperty;
    }

    private static boolean kill(String signal, String pid) throws ExitException {
        try {
            Process process = new ProcessBuilder("kill", "-" + signal, pid)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor(5, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException e) {
            throw failure("the command 'kill' cannot be run: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failure("interrupted");
        }
    }

    private static ExitException failure(String message) {
        return new ExitException(1, PROCESS + ": " + message);
    }
}
