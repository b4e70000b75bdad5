package io.penstock.server.config;

import io.penstock.storage.disk.StoreCipher;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalLong;

/** Reads a {@code jetstream} block: a map, a boolean, or a word. */
final class JetStreamReader extends BlockReader {
    private final OptionsDraft options;
    private final Draft draft;
    private boolean enabled = true;

    /** What the block says of the cipher, or null. */
    private ConfigValue cipher;

    private JetStreamReader(OptionsDraft options, Problems problems) {
        super(problems);
        this.options = options;
        this.draft = options.jetStreamDraft;
    }

    static void read(ConfigValue value, OptionsDraft options, Problems problems) throws ConfigException {
        switch (value) {
            case ConfigValue.Flag flag -> options.jetStream = flag.value();
            case ConfigValue.Text text -> options.jetStream = enabled(text);
            case ConfigValue.Block block -> {
                JetStreamReader reader = new JetStreamReader(options, problems);
                reader.readAll(block);
                reader.warnOfCipherWithoutKey();
                options.jetStream = reader.enabled;
            }
            default ->
                throw new ConfigException(
                        value.position(), "Expected map, bool or string to define JetStream, got " + value.kind());
        }
    }

    /** The words for on and off, also in account blocks. */
    static boolean enabled(ConfigValue.Text text) throws ConfigException {
        return switch (Values.lower(text.value())) {
            case "enabled", "enable" -> true;
            case "disabled", "disable" -> false;
            default ->
                throw new ConfigException(
                        text.position(),
                        "Expected 'enabled' or 'disabled' for string value, got '" + text.value() + "'");
        };
    }

    @Override
    protected boolean key(String key, ConfigValue value) throws ConfigException {
        switch (key) {
            case "enable", "enabled" -> enabled = Values.flag(value);
            case "store", "store_dir", "storedir" -> storeDirectory(value, options);
            case "strict" -> draft.strict = Values.flag(value);
            case "sync", "sync_interval" -> sync(key, value);
            case "max_memory_store", "max_mem_store", "max_mem" ->
                draft.maxMemory = size("max_mem_store", value, draft.maxMemory);
            case "max_file_store", "max_file" -> draft.maxStorage = size("max_file_store", value, draft.maxStorage);
            case "domain" -> draft.domain = domain(value);
            case "unique_tag" ->
                draft.uniqueTag = Values.lower(Values.text(value).trim());
            case "max_buffered_size" -> draft.bufferedBytes = size(key, value, draft.bufferedBytes);
            case "max_buffered_msgs" -> draft.bufferedMessages = Values.small(key, value);
            case "request_queue_limit" -> draft.requests = Values.whole(value);
            case "info_queue_limit" -> draft.infoRequests = Values.whole(value);
            case "key", "ek", "encryption_key" -> draft.key = Values.text(value);
            case "prev_key", "prev_ek", "prev_encryption_key" -> draft.previousKey = Values.text(value);
            case "cipher" -> {
                draft.cipher = cipher(value);
                cipher = value;
            }
            case "limits" -> new LimitsReader().readAll(Values.block("JetStreamLimits", value));
            default -> {
                return withoutEffect(key, value);
            }
        }
        return true;
    }

    private boolean withoutEffect(String key, ConfigValue value) throws ConfigException {
        switch (key) {
            case "tpm" -> problems.unavailable(key, value, "a key kept in a TPM is");
            case "extension_hint",
                    "max_outstanding_catchup",
                    "meta_compact",
                    "meta_compact_size",
                    "meta_compact_sync",
                    "max_concurrent_io" -> problems.ignored(key, value, "this server has no use for it");
            default -> {
                return false;
            }
        }
        return true;
    }

    static void storeDirectory(ConfigValue value, OptionsDraft options) throws ConfigException {
        if (options.storeDirectory != null) {
            throw new ConfigException(value.position(), "Duplicate 'store_dir' configuration");
        }
        options.storeDirectory = Path.of(Values.text(value));
    }

    private void sync(String key, ConfigValue value) throws ConfigException {
        draft.syncAlways =
                value instanceof ConfigValue.Text text && text.value().equalsIgnoreCase("always");
        draft.syncInterval =
                draft.syncAlways ? JetStreamSettings.DEFAULT_SYNC_INTERVAL : Values.duration(key, value, problems);
    }

    private void warnOfCipherWithoutKey() {
        if (cipher != null && draft.key.isEmpty()) {
            problems.ignored("cipher", cipher, "nothing is encrypted without a key");
        }
    }

    private static StoreCipher cipher(ConfigValue value) throws ConfigException {
        return switch (Values.lower(Values.text(value))) {
            case "chacha", "chachapoly" -> StoreCipher.CHACHA;
            case "aes" -> StoreCipher.AES;
            default ->
                throw new ConfigException(value.position(), "Unknown cipher type: \"" + Values.text(value) + "\"");
        };
    }

    private static String domain(ConfigValue value) throws ConfigException {
        String domain = Values.text(value);
        for (int i = 0; i < domain.length(); i++) {
            if (" .*>\t".indexOf(domain.charAt(i)) >= 0) {
                throw new ConfigException(
                        value.position(),
                        "invalid domain name \"" + domain + "\": it may not contain a blank, '.', '*' or '>'");
            }
        }
        return domain.isEmpty() ? null : domain;
    }

    private static long size(String key, ConfigValue value, long otherwise) throws ConfigException {
        OptionalLong size = Values.storage(key, value);
        return size.isPresent() ? size.getAsLong() : otherwise;
    }

    private Duration positive(String key, ConfigValue value) throws ConfigException {
        return Values.duration(key, value, problems);
    }

    /** {@code jetstream.limits}. */
    private final class LimitsReader extends BlockReader {
        LimitsReader() {
            super(JetStreamReader.this.problems);
        }

        @Override
        protected boolean key(String key, ConfigValue value) throws ConfigException {
            switch (key) {
                case "max_ack_pending" -> draft.maxAckPending = Values.small(key, value);
                case "max_ha_assets" -> draft.maxHaAssets = Values.small(key, value);
                case "max_request_batch" -> draft.maxRequestBatch = Values.small(key, value);
                case "default_max_consumers" -> draft.defaultMaxConsumers = Values.small(key, value);
                case "duplicate_window" -> draft.duplicateWindow = positive(key, value);
                case "batch" -> new BatchReader().readAll(Values.block("batch limits", value));
                default -> {
                    return false;
                }
            }
            return true;
        }
    }

    /** {@code jetstream.limits.batch}. */
    private final class BatchReader extends BlockReader {
        BatchReader() {
            super(JetStreamReader.this.problems);
        }

        @Override
        protected boolean key(String key, ConfigValue value) throws ConfigException {
            switch (key) {
                case "max_inflight_per_stream" -> draft.batchPerStream = Values.small(key, value);
                case "max_inflight_total" -> draft.batchTotal = Values.small(key, value);
                case "max_msgs" -> draft.batchMessages = Values.small(key, value);
                case "timeout" -> draft.batchTimeout = positive(key, value);
                default -> {
                    return false;
                }
            }
            return true;
        }
    }

    /** What the block has said so far. */
    static final class Draft {
        long maxMemory = -1;
        long maxStorage = -1;
        String domain;
        boolean strict = true;
        boolean syncAlways = true;
        Duration syncInterval = JetStreamSettings.DEFAULT_SYNC_INTERVAL;
        String uniqueTag;
        int maxAckPending;
        int maxHaAssets;
        int maxRequestBatch;
        int defaultMaxConsumers = JetStreamSettings.DEFAULT_MAX_CONSUMERS;
        Duration duplicateWindow = Duration.ZERO;
        int batchPerStream;
        int batchTotal;
        int batchMessages;
        Duration batchTimeout = Duration.ZERO;
        long bufferedBytes = 128L << 20;
        int bufferedMessages = 100_000;
        long requests = 10_000;
        long infoRequests;
        StoreCipher cipher = StoreCipher.AES;
        String key = "";
        String previousKey = "";

        JetStreamSettings build(Path directory) {
            return new JetStreamSettings(
                    directory,
                    maxMemory,
                    maxStorage,
                    domain,
                    strict,
                    syncAlways,
                    syncInterval,
                    uniqueTag,
                    new JetStreamSettings.Limits(
                            maxAckPending, maxHaAssets, maxRequestBatch, duplicateWindow, defaultMaxConsumers),
                    new JetStreamSettings.Batches(batchPerStream, batchTotal, batchMessages, batchTimeout),
                    new JetStreamSettings.Queues(
                            bufferedBytes, bufferedMessages, requests, infoRequests <= 0 ? requests : infoRequests),
                    new JetStreamSettings.Encryption(cipher, key, previousKey));
        }
    }
}
