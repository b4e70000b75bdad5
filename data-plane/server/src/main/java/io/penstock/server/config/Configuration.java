package io.penstock.server.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * A configuration that can be run.
 *
 * @param warnings what the user should know of, in the order of the file
 */
public record Configuration(ServerOptions options, List<ConfigProblem> warnings) {
    public Configuration {
        warnings = List.copyOf(warnings);
    }

    /**
     * Reads the file that the flags name, if any, and lets the flags override it.
     *
     * @param environment value of an environment variable, or null
     */
    public static Configuration load(Flags flags, UnaryOperator<String> environment) throws ConfigException {
        OptionsDraft draft = new OptionsDraft();
        Problems problems = new Problems(Set.of());
        if (!flags.configFile().isEmpty()) {
            ConfigDocument document = ConfigParser.parseFile(flags.configFile(), environment);
            problems = new Problems(document.variables());
            draft.configFile = Path.of(flags.configFile());
            draft.configDigest = document.digest();
            if (!flags.storeDirectory().isEmpty()) {
                // As with other servers of this language: a directory given twice is a mistake, not an override.
                draft.storeDirectory = Path.of(flags.storeDirectory());
            }
            new OptionsReader(draft, problems).read(document);
            problems.throwIfAny();
        }
        flags.applyTo(draft);
        OptionsValidator.check(draft, problems);
        problems.throwIfAny();
        return new Configuration(draft.build(), problems.warnings());
    }
}
