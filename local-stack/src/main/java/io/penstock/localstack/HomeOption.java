package io.penstock.localstack;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The option every command shares. */
final class HomeOption {
    @Option(
            names = "--home",
            paramLabel = "DIR",
            description = "Folder of data, logs and state. Default: PENSTOCK_HOME, else .penstock in the checkout.")
    private Path named;

    StackHome home() {
        return StackHome.choose(named);
    }
}
