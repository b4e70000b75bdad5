package io.penstock.chaos.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Programs of the operating system. */
public final class Commands {
    private Commands() {}

    /** Runs a program to its end; what it printed. Fails with the output when it does not end with 0. */
    public static String run(String... command) {
        try {
            Process process = new ProcessBuilder(List.of(command))
                    .redirectErrorStream(true)
                    .start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int code = process.waitFor();
            if (code != 0) {
                throw new IllegalStateException(
                        String.join(" ", command) + " ended with code " + code + ": " + output.strip());
            }
            return output;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** As {@link #run}, for what may have been done already. */
    static void attempt(String... command) {
        try {
            run(command);
        } catch (IllegalStateException e) {
            // Nothing was there to remove.
        }
    }
}
