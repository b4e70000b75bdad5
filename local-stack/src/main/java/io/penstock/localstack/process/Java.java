package io.penstock.localstack.process;

import java.nio.file.Path;

/** The Java this program runs on, for the programs it starts. */
public final class Java {
    private Java() {}

    public static Path home() {
        return Path.of(System.getProperty("java.home"));
    }

    public static String executable() {
        return home().resolve("bin/java").toString();
    }
}
