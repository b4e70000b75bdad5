package io.penstock.server.config;

import java.util.Locale;
import java.util.Map;

/** Reads one kind of map: each key is offered to {@link #key}, what it does not know is reported. */
abstract class BlockReader {
    protected final Problems problems;

    protected BlockReader(Problems problems) {
        this.problems = problems;
    }

    /**
     * Takes one setting.
     *
     * @param key in lower case
     * @return false when there is no such key
     */
    protected abstract boolean key(String key, ConfigValue value) throws ConfigException;

    /** Offers every key of the map, in the order of the file. */
    protected final void readAll(ConfigValue.Block block) {
        for (Map.Entry<String, ConfigValue> entry : block.entries().entrySet()) {
            try {
                if (!key(entry.getKey().toLowerCase(Locale.ROOT), entry.getValue())) {
                    problems.unknown(entry.getKey(), entry.getValue());
                }
            } catch (ConfigException e) {
                problems.addAll(e);
            }
        }
    }
}
