package io.penstock.localstack.process;

import io.penstock.localstack.StackException;
import io.penstock.localstack.StackHome;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Starts processes that outlive this one, in a session of their own so that Ctrl-C here does not reach them. */
public final class Detached {
    private Detached() {}

    public static Process start(ProcessSpec spec, Path log) {
        StackHome.create(log.getParent());
        StackHome.create(spec.folder());
        List<String> command = new ArrayList<>();
        if (Files.isExecutable(Path.of("/usr/bin/setsid"))) {
            command.add("/usr/bin/setsid");
        }
        command.addAll(spec.command());
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(spec.folder().toFile())
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().putAll(spec.environment());
        try {
            return builder.start();
        } catch (IOException e) {
            throw new StackException("cannot start " + spec.command().getFirst() + ": " + e.getMessage(), e);
        }
    }

    /** Runs a command to its end, its output into the log. */
    public static void run(ProcessSpec spec, Path log) {
        Process process = start(spec, log);
        try {
            int code = process.waitFor();
            if (code != 0) {
                throw new StackException(spec.command().getFirst() + " ended with code " + code + "; see " + log);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            process.destroyForcibly();
            throw new StackException("interrupted while " + spec.command().getFirst() + " ran", e);
        }
    }
}
