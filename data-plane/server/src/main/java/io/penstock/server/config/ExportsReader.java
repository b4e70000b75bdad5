package io.penstock.server.config;

import io.penstock.broker.sharing.ExportConfig;
import io.penstock.broker.sharing.ShareKind;
import io.penstock.protocol.Subjects;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Reads the {@code exports} of an account. */
final class ExportsReader {
    private static final int ALL = 100;

    private ExportsReader() {}

    static List<ExportConfig> read(ConfigValue value, Problems problems) throws ConfigException {
        List<ExportConfig> exports = new ArrayList<>();
        for (ConfigValue item : Values.items("exports", value)) {
            try {
                ExportReader reader = new ExportReader(problems);
                reader.readAll(Values.block("the export", item));
                exports.add(reader.build(item.position()));
            } catch (ConfigException e) {
                problems.addAll(e);
            }
        }
        return exports;
    }

    /** One export. */
    private static final class ExportReader extends BlockReader {
        private ShareKind kind;
        private String subject;
        private List<String> accounts = List.of();
        private ExportConfig.ResponseType responseType;
        private Duration threshold;
        private ExportConfig.Latency latency;
        private int tokenPosition;
        private boolean allowTrace;
        /** The first setting that only a service has. */
        private ConfigValue serviceOnly;

        private String serviceOnlyName;

        ExportReader(Problems problems) {
            super(problems);
        }

        @Override
        protected boolean key(String key, ConfigValue value) throws ConfigException {
            switch (key) {
                case "stream" -> subject(ShareKind.STREAM, value);
                case "service" -> subject(ShareKind.SERVICE, value);
                case "accounts" -> accounts = Values.texts(value);
                case "response", "response_type" -> {
                    serviceOnly("response", value);
                    responseType = responseType(value);
                }
                case "threshold", "response_threshold", "response_max_time", "response_time" -> {
                    serviceOnly("response", value);
                    Values.text(value);
                    threshold = Values.duration(key, value, problems);
                }
                case "latency" -> {
                    serviceOnly("latency", value);
                    latency = latency(value);
                }
                case "account_token_position" -> tokenPosition = Values.small(key, value);
                case "allow_trace" -> {
                    serviceOnly("allow_trace", value);
                    allowTrace = Values.flag(value);
                }
                default -> {
                    return false;
                }
            }
            return true;
        }

        private void subject(ShareKind newKind, ConfigValue value) throws ConfigException {
            String text = Values.text(value);
            if (kind != null) {
                throw new ConfigException(
                        value.position(),
                        "Detected " + Values.lower(newKind.name()) + " \"" + text + "\" but already saw a "
                                + Values.lower(kind.name()));
            }
            kind = newKind;
            subject = text;
            if (!Subjects.isValidPattern(subject)) {
                throw new ConfigException(value.position(), "subject \"" + text + "\" is not a valid subject");
            }
        }

        private void serviceOnly(String name, ConfigValue value) {
            if (serviceOnly == null) {
                serviceOnly = value;
                serviceOnlyName = name;
            }
        }

        private static ExportConfig.ResponseType responseType(ConfigValue value) throws ConfigException {
            return switch (Values.lower(Values.text(value))) {
                case "single", "singleton" -> ExportConfig.ResponseType.SINGLETON;
                case "stream" -> ExportConfig.ResponseType.STREAM;
                case "chunk", "chunked" -> ExportConfig.ResponseType.CHUNKED;
                default ->
                    throw new ConfigException(
                            value.position(), "Unknown response type: \"" + Values.text(value) + "\"");
            };
        }

        private ExportConfig.Latency latency(ConfigValue value) throws ConfigException {
            if (value instanceof ConfigValue.Text text) {
                return new ExportConfig.Latency(ALL, Subjects.fromUtf8(text.value()));
            }
            LatencyReader reader = new LatencyReader();
            reader.readAll(Values.block("latency", value));
            if (reader.results == null) {
                throw new ConfigException(value.position(), "Latency subject required, but missing");
            }
            return new ExportConfig.Latency(reader.sampling, reader.results);
        }

        private ExportConfig build(Position position) throws ConfigException {
            if (kind == null) {
                throw new ConfigException(position, "an export needs a 'stream' or a 'service'");
            }
            if (kind == ShareKind.STREAM && serviceOnly != null) {
                throw new ConfigException(
                        serviceOnly.position(), "Detected " + serviceOnlyName + " directive on non-service");
            }
            return new ExportConfig(
                    kind,
                    subject,
                    accounts,
                    responseType == null ? ExportConfig.ResponseType.SINGLETON : responseType,
                    threshold,
                    latency,
                    tokenPosition,
                    allowTrace);
        }

        /** {@code latency} as a map. */
        private final class LatencyReader extends BlockReader {
            private int sampling = ALL;
            private String results;

            LatencyReader() {
                super(ExportReader.this.problems);
            }

            @Override
            protected boolean key(String key, ConfigValue value) throws ConfigException {
                switch (key) {
                    case "sampling" -> {
                        boolean headers = value instanceof ConfigValue.Text text
                                && text.value().trim().equalsIgnoreCase("headers");
                        sampling = headers ? 0 : Values.percent("latency sampling", value, 1);
                    }
                    case "subject" -> results = Subjects.fromUtf8(Values.text(value));
                    default -> {
                        return false;
                    }
                }
                return true;
            }
        }
    }
}
