package io.penstock.server.config;

import io.penstock.broker.sharing.MappingConfig;
import io.penstock.protocol.InvalidTransformException;
import io.penstock.protocol.SubjectMappings;
import io.penstock.protocol.Subjects;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Reads a {@code mappings} block: source subjects to one destination or several weighted ones. */
final class MappingsReader {
    private MappingsReader() {}

    static List<MappingConfig> read(ConfigValue value, Problems problems) throws ConfigException {
        List<MappingConfig> mappings = new ArrayList<>();
        for (Map.Entry<String, ConfigValue> entry :
                Values.block("mappings", value).entries().entrySet()) {
            try {
                mappings.add(mapping(entry.getKey(), entry.getValue(), problems));
            } catch (ConfigException e) {
                problems.addAll(e);
            }
        }
        return mappings;
    }

    private static MappingConfig mapping(String source, ConfigValue value, Problems problems) throws ConfigException {
        if (!Subjects.isValidPattern(source)) {
            throw new ConfigException(value.position(), "Subject \"" + source + "\" is not a valid subject");
        }
        List<MappingConfig.Destination> destinations = new ArrayList<>();
        switch (value) {
            case ConfigValue.Text text -> destinations.add(new MappingConfig.Destination(text.value(), 100, null));
            case ConfigValue.Items items -> {
                for (ConfigValue item : items.values()) {
                    destinations.add(destination(item, problems));
                }
            }
            default -> destinations.add(destination(value, problems));
        }
        MappingConfig mapping = new MappingConfig(source, destinations);
        compile(mapping, value.position());
        return mapping;
    }

    /** What the server would refuse at its start is refused where it is written, for this cluster's destinations and others'. */
    private static void compile(MappingConfig mapping, Position position) throws ConfigException {
        Set<String> clusters = new LinkedHashSet<>(Set.of(""));
        mapping.destinations().stream()
                .map(MappingConfig.Destination::cluster)
                .filter(Objects::nonNull)
                .forEach(clusters::add);
        try {
            for (String cluster : clusters) {
                var _ = SubjectMappings.of(List.of(mapping.definition()), cluster);
            }
        } catch (InvalidTransformException e) {
            throw new ConfigException(
                    position, "Error adding mapping for \"" + mapping.source() + "\": " + e.getMessage());
        }
    }

    private static MappingConfig.Destination destination(ConfigValue value, Problems problems) throws ConfigException {
        DestinationReader reader = new DestinationReader(problems);
        reader.readAll(Values.block("the mapping destination", value));
        if (reader.subject == null) {
            throw new ConfigException(value.position(), "Missing destination for the mapping");
        }
        if (reader.weightRefused) {
            throw ConfigException.alreadyReported();
        }
        if (reader.weight < 0) {
            throw new ConfigException(
                    value.position(), "Missing weight for mapping destination \"" + reader.subject + "\"");
        }
        return new MappingConfig.Destination(reader.subject, reader.weight, reader.cluster);
    }

    /** One weighted destination. */
    private static final class DestinationReader extends BlockReader {
        private String subject;
        private int weight = -1;
        private boolean weightRefused;
        private String cluster;

        DestinationReader(Problems problems) {
            super(problems);
        }

        @Override
        protected boolean key(String key, ConfigValue value) throws ConfigException {
            switch (key) {
                case "dest", "destination" -> subject = Values.text(value);
                case "weight" -> {
                    weightRefused = true;
                    weight = Values.percent("weight for mapping destination", value, 0);
                    weightRefused = false;
                }
                case "cluster" -> cluster = Values.text(value);
                default -> {
                    return false;
                }
            }
            return true;
        }
    }
}
