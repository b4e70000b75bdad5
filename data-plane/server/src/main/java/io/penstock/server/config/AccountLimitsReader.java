package io.penstock.server.config;

import io.penstock.broker.auth.AccountConfig;
import io.penstock.broker.internal.JetStreamLimits;
import java.util.Map;

/** Reads what an account may use: its {@code limits} and its {@code jetstream} block. */
final class AccountLimitsReader {
    private static final long UNLIMITED = -1;

    private AccountLimitsReader() {}

    static AccountConfig.Limits connections(ConfigValue value, Problems problems) throws ConfigException {
        ConnectionLimits reader = new ConnectionLimits(problems);
        reader.readAll(Values.block("account limits", value));
        return new AccountConfig.Limits(reader.connections, reader.subscriptions, reader.payload, reader.leafNodes);
    }

    /** The limits, or null when JetStream is off for the account. */
    static JetStreamLimits jetStream(ConfigValue value, Problems problems) throws ConfigException {
        boolean enabled = switch (value) {
            case ConfigValue.Flag flag -> flag.value();
            case ConfigValue.Text text -> JetStreamReader.enabled(text);
            case ConfigValue.Block block -> true;
            default ->
                throw new ConfigException(
                        value.position(), "Expected map, bool or string to define JetStream, got " + value.kind());
        };
        if (!enabled) {
            return null;
        }
        StorageLimits reader = new StorageLimits(problems);
        if (value instanceof ConfigValue.Block block) {
            reader.readAll(block);
        }
        return new JetStreamLimits(
                reader.memory,
                reader.storage,
                reader.streams,
                reader.consumers,
                reader.ackPending,
                reader.memoryStream,
                reader.storageStream,
                reader.bytesRequired,
                Map.of());
    }

    /** {@code limits}. */
    private static final class ConnectionLimits extends BlockReader {
        private long connections = UNLIMITED;
        private long subscriptions = UNLIMITED;
        private long payload = UNLIMITED;
        private long leafNodes = UNLIMITED;

        ConnectionLimits(Problems problems) {
            super(problems);
        }

        @Override
        protected boolean key(String key, ConfigValue value) throws ConfigException {
            switch (key) {
                case "max_connections", "max_conn" -> connections = Values.small(key, value);
                case "max_subscriptions", "max_subs" -> subscriptions = Values.small(key, value);
                case "max_payload", "max_pay" -> payload = Values.small(key, value);
                case "max_leafnodes", "max_leafs" -> leafNodes = Values.small(key, value);
                default -> {
                    return false;
                }
            }
            return true;
        }
    }

    /** {@code jetstream} of an account. */
    private static final class StorageLimits extends BlockReader {
        private long memory = UNLIMITED;
        private long storage = UNLIMITED;
        private long streams = UNLIMITED;
        private long consumers = UNLIMITED;
        private long ackPending = UNLIMITED;
        private long memoryStream = UNLIMITED;
        private long storageStream = UNLIMITED;
        private boolean bytesRequired;

        StorageLimits(Problems problems) {
            super(problems);
        }

        @Override
        protected boolean key(String key, ConfigValue value) throws ConfigException {
            switch (key) {
                case "max_memory", "max_mem", "mem", "memory" -> memory = Values.whole(value);
                case "max_store", "max_file", "max_disk", "store", "disk" -> storage = Values.whole(value);
                case "max_streams", "streams" -> streams = Values.whole(value);
                case "max_consumers", "consumers" -> consumers = Values.whole(value);
                case "max_bytes_required", "max_stream_bytes", "max_bytes" -> bytesRequired = Values.flag(value);
                case "mem_max_stream_bytes", "memory_max_stream_bytes" -> memoryStream = Values.whole(value);
                case "disk_max_stream_bytes", "store_max_stream_bytes" -> storageStream = Values.whole(value);
                case "max_ack_pending" -> ackPending = Values.whole(value);
                case "cluster_traffic" -> {
                    switch (Values.text(value)) {
                        case "system", "" -> {}
                        case "owner" -> problems.ignored(key, value, "there is no cluster traffic");
                        default ->
                            throw new ConfigException(
                                    value.position(), "Expected 'system' or 'owner' string value for \"" + key + "\"");
                    }
                }
                default -> {
                    return false;
                }
            }
            return true;
        }
    }
}
