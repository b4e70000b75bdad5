package io.penstock.server.config;

import io.penstock.broker.auth.PermissionsConfig;
import io.penstock.protocol.Subjects;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Reads a {@code permissions} block. */
final class PermissionsReader extends BlockReader {
    private Lists publish = Lists.NONE;
    private Lists subscribe = Lists.NONE;
    private PermissionsConfig.Responses responses;

    private PermissionsReader(Problems problems) {
        super(problems);
    }

    private record Lists(List<String> allow, List<String> deny) {
        static final Lists NONE = new Lists(List.of(), List.of());
    }

    static PermissionsConfig read(ConfigValue value, Problems problems) throws ConfigException {
        PermissionsReader reader = new PermissionsReader(problems);
        reader.readAll(Values.block("permissions", value));
        return new PermissionsConfig(
                reader.publish.allow,
                reader.publish.deny,
                reader.subscribe.allow,
                reader.subscribe.deny,
                reader.responses);
    }

    @Override
    protected boolean key(String key, ConfigValue value) throws ConfigException {
        switch (key) {
            case "pub", "publish", "import" -> publish = lists(value, false);
            case "sub", "subscribe", "export" -> subscribe = lists(value, true);
            case "publish_allow_responses", "allow_responses" -> responses = responses(value);
            default -> {
                return false;
            }
        }
        return true;
    }

    /** A subject, a list of subjects, or lists of what is allowed and denied. */
    private Lists lists(ConfigValue value, boolean queues) throws ConfigException {
        if (!(value instanceof ConfigValue.Block block)) {
            return new Lists(subjects(value, queues), List.of());
        }
        List<String> allow = List.of();
        List<String> deny = List.of();
        for (Map.Entry<String, ConfigValue> entry : block.entries().entrySet()) {
            switch (Values.lower(entry.getKey())) {
                case "allow" -> allow = subjects(entry.getValue(), queues);
                case "deny" -> deny = subjects(entry.getValue(), queues);
                default -> {
                    if (!problems.isVariable(entry.getValue())) {
                        problems.error(
                                entry.getValue().position(),
                                "Unknown field name \"" + entry.getKey()
                                        + "\" parsing subject permissions, only 'allow' or 'deny' are permitted");
                    }
                }
            }
        }
        return new Lists(allow, deny);
    }

    private static List<String> subjects(ConfigValue value, boolean queues) throws ConfigException {
        List<String> subjects = Values.texts(value);
        for (String subject : subjects) {
            String complaint = complaint(subject, queues);
            if (complaint != null) {
                throw new ConfigException(value.position(), complaint);
            }
        }
        return subjects;
    }

    private static String complaint(String subject, boolean queues) {
        if (Subjects.isValidPattern(subject)) {
            return null;
        }
        String[] parts = subject.trim().split("\\s+");
        if (!queues || parts.length != 2) {
            return "subject \"" + subject + "\" is not a valid subject";
        }
        if (!Subjects.isValidPattern(parts[0])) {
            return "subject \"" + parts[0] + "\" is not a valid subject";
        }
        return Subjects.isValidPattern(parts[1]) ? null : "queue \"" + parts[1] + "\" is not a valid queue";
    }

    private PermissionsConfig.Responses responses(ConfigValue value) throws ConfigException {
        if (value instanceof ConfigValue.Flag flag) {
            return flag.value() ? PermissionsConfig.Responses.DEFAULT : null;
        }
        ResponsesReader reader = new ResponsesReader();
        reader.readAll(Values.block("response permissions", value));
        return new PermissionsConfig.Responses(reader.max, reader.expires);
    }

    /** {@code allow_responses} as a map; zero stands for the default. */
    private final class ResponsesReader extends BlockReader {
        private int max = PermissionsConfig.Responses.DEFAULT.max();
        private Duration expires = PermissionsConfig.Responses.DEFAULT.expires();

        ResponsesReader() {
            super(PermissionsReader.this.problems);
        }

        @Override
        protected boolean key(String key, ConfigValue value) throws ConfigException {
            switch (key) {
                case "max", "max_msgs", "max_messages", "max_responses" -> {
                    int number = Values.small(key, value);
                    max = number == 0 ? max : number;
                }
                case "expires", "expiration", "ttl" -> {
                    Values.text(value);
                    Duration duration = Values.duration(key, value, problems);
                    expires = duration.isZero() ? expires : duration;
                }
                default -> {
                    return false;
                }
            }
            return true;
        }
    }
}
