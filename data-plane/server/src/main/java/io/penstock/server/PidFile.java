package io.penstock.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file with the process id: the digits alone. */
final class PidFile {
    private PidFile() {}

    static void write(Path path) throws IOException {
        Files.writeString(path, Long.toString(ProcessHandle.current().pid()));
    }
}
