package io.penstock.server.config;

import java.util.List;
import java.util.stream.Collectors;

/** A configuration that cannot be used, with everything that is wrong with it. */
public final class ConfigException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient List<ConfigProblem> problems;

    public ConfigException(List<ConfigProblem> problems) {
        super(problems.stream().map(ConfigProblem::toString).collect(Collectors.joining("\n")));
        this.problems = List.copyOf(problems);
    }

    public ConfigException(Position position, String message) {
        this(List.of(new ConfigProblem(position, message)));
    }

    /** Something is missing because of a problem that is reported already. */
    static ConfigException alreadyReported() {
        return new ConfigException(List.of());
    }

    /** In the order they were found. */
    public List<ConfigProblem> problems() {
        return problems;
    }
}
