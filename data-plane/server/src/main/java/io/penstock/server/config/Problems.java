package io.penstock.server.config;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/** Gathers what is wrong with a configuration, so that the user learns of everything at once. */
final class Problems {
    private final List<ConfigProblem> errors = new ArrayList<>();
    private final List<ConfigProblem> warnings = new ArrayList<>();
    private final Set<Position> variables;
    private final IdentityHashMap<Object, Position> places = new IdentityHashMap<>();

    /**
     * @param variables positions of keys that are only there for a variable to refer to
     */
    Problems(Set<Position> variables) {
        this.variables = variables;
    }

    /** Notes where something was read, for what only all settings together can tell. */
    void located(Object read, Position position) {
        places.put(read, position);
    }

    /** Where this very object was read, or null. */
    Position placeOf(Object read) {
        return places.get(read);
    }

    void error(Position position, String message) {
        errors.add(new ConfigProblem(position, message));
    }

    void error(String message) {
        error(null, message);
    }

    void addAll(ConfigException exception) {
        errors.addAll(exception.problems());
    }

    void warn(Position position, String message) {
        warnings.add(new ConfigProblem(position, message));
    }

    /** A key nobody knows: an error, unless it only serves as a variable. */
    void unknown(String key, ConfigValue value) {
        if (!isVariable(value)) {
            error(value.position(), "unknown field \"" + key + "\"");
        }
    }

    boolean isVariable(ConfigValue value) {
        return variables.contains(value.position());
    }

    /** A key that is known, but whose feature this version does not have. */
    void unavailable(String key, ConfigValue value, String feature) {
        error(
                value.position(),
                "\"" + key + "\": " + feature + " not available in this version; remove the setting to start without");
    }

    /** A setting that is accepted, so that files written for others work, but does nothing. */
    void ignored(String key, ConfigValue value, String why) {
        warn(value.position(), "\"" + key + "\" is ignored: " + why);
    }

    List<ConfigProblem> errors() {
        return errors;
    }

    List<ConfigProblem> warnings() {
        return warnings;
    }

    void throwIfAny() throws ConfigException {
        if (!errors.isEmpty()) {
            throw new ConfigException(errors);
        }
    }
}
