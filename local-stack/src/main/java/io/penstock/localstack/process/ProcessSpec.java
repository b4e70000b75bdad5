package io.penstock.localstack.process;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * How a process is started.
 *
 * @param environment variables set on top of the inherited ones
 */
public record ProcessSpec(List<String> command, Path folder, Map<String, String> environment) {
    public ProcessSpec {
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
    }
}
