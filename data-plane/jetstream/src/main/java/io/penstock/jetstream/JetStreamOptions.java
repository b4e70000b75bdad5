package io.penstock.jetstream;

import io.penstock.storage.disk.Disk;
import io.penstock.storage.disk.FileDisk;
import java.nio.file.Path;
import java.util.Objects;

/**
 * How JetStream runs on a node. Sizes in bytes, -1 for no limit; durations in nanoseconds; counts and windows of 0 mean
 * no limit.
 *
 * @param storeDirectory where journal and streams live
 * @param serverName name shown as leader and in advisories
 * @param domain prefix of the API's subjects; empty for none
 * @param syncAlways whether an acknowledgement waits until the disk has the message; default true
 * @param syncIntervalNanos longest time the disk may lag behind otherwise; default two minutes
 * @param maxMemory bytes all memory streams may use
 * @param maxStorage bytes all file streams may use
 * @param strict whether a field nobody knows makes a request invalid; default true
 * @param duplicateWindow longest duplicate window a stream may ask for
 * @param maxAckPending most unacknowledged messages a consumer may have
 * @param maxRequestBatch largest batch of a pull request
 * @param defaultMaxConsumers most consumers of a stream that names no limit itself
 * @param requestQueueLimit API requests that may wait; default 10,000
 * @param infoQueueLimit API requests for information that may wait; default 10,000
 * @param ingestMessages messages that may wait to be stored in one stream; default 100,000
 * @param ingestBytes bytes that may wait to be stored in one stream; default 128 MiB
 * @param clusterName name of the cluster; empty on a node alone
 * @param systemAccount name of the system account, shown with what is replicated; empty when there is none
 * @param maxPending most bytes of a direct get that names no limit; default 64 MiB
 * @param batches bounds of atomic batches that are not committed yet
 * @param disk what everything below the store directory is read and written with; default the plain file system
 */
public record JetStreamOptions(
        Path storeDirectory,
        String serverName,
        String domain,
        boolean syncAlways,
        long syncIntervalNanos,
        long maxMemory,
        long maxStorage,
        boolean strict,
        long duplicateWindow,
        int maxAckPending,
        int maxRequestBatch,
        int defaultMaxConsumers,
        int requestQueueLimit,
        int infoQueueLimit,
        int ingestMessages,
        long ingestBytes,
        String clusterName,
        String systemAccount,
        long maxPending,
        BatchLimits batches,
        Disk disk) {
    /** Refuses values that make no sense. */
    public JetStreamOptions {
        Objects.requireNonNull(storeDirectory, "storeDirectory");
        Objects.requireNonNull(serverName, "serverName");
        Objects.requireNonNull(domain, "domain");
        Objects.requireNonNull(clusterName, "clusterName");
        Objects.requireNonNull(systemAccount, "systemAccount");
        Objects.requireNonNull(batches, "batches");
        Objects.requireNonNull(disk, "disk");
        positive(requestQueueLimit, "request_queue_limit");
        positive(infoQueueLimit, "info_queue_limit");
        positive(ingestMessages, "max_buffered_msgs");
        positive(ingestBytes, "max_buffered_size");
        positive(syncIntervalNanos, "sync_interval");
    }

    private static void positive(long value, String name) {
        if (value <= 0) {
            throw new IllegalArgumentException("jetstream " + name + " must be above 0, not " + value);
        }
    }

    /** A builder with the defaults. */
    public static Builder builder(Path storeDirectory, String serverName) {
        Builder b = new Builder();
        b.storeDirectory = storeDirectory;
        b.serverName = serverName;
        return b;
    }

    /** A builder that starts from these options. */
    public Builder toBuilder() {
        Builder b = new Builder();
        b.storeDirectory = storeDirectory;
        b.serverName = serverName;
        b.domain = domain;
        b.syncAlways = syncAlways;
        b.syncIntervalNanos = syncIntervalNanos;
        b.maxMemory = maxMemory;
        b.maxStorage = maxStorage;
        b.strict = strict;
        b.duplicateWindow = duplicateWindow;
        b.maxAckPending = maxAckPending;
        b.maxRequestBatch = maxRequestBatch;
        b.defaultMaxConsumers = defaultMaxConsumers;
        b.requestQueueLimit = requestQueueLimit;
        b.infoQueueLimit = infoQueueLimit;
        b.ingestMessages = ingestMessages;
        b.ingestBytes = ingestBytes;
        b.clusterName = clusterName;
        b.systemAccount = systemAccount;
        b.maxPending = maxPending;
        b.batches = batches;
        b.disk = disk;
        return b;
    }

    /** Collects options one by one. */
    public static final class Builder {
        private Path storeDirectory;
        private String serverName = "";
        private String domain = "";
        private String clusterName = "";
        private String systemAccount = "";
        private boolean syncAlways = true;
        private long syncIntervalNanos = 120_000_000_000L;
        private long maxMemory = -1;
        private long maxStorage = -1;
        private boolean strict = true;
        private long duplicateWindow = 0;
        private int maxAckPending = 0;
        private int maxRequestBatch = 0;
        private int defaultMaxConsumers = 0;
        private int requestQueueLimit = 10_000;
        private int infoQueueLimit = 10_000;
        private int ingestMessages = 100_000;
        private long ingestBytes = 128L << 20;
        private long maxPending = 64L << 20;
        private BatchLimits batches = BatchLimits.DEFAULT;
        private Disk disk = FileDisk.INSTANCE;

        private Builder() {}

        public Builder storeDirectory(Path value) {
            this.storeDirectory = value;
            return this;
        }

        public Builder serverName(String value) {
            this.serverName = value;
            return this;
        }

        public Builder domain(String value) {
            this.domain = value;
            return this;
        }

        public Builder syncAlways(boolean value) {
            this.syncAlways = value;
            return this;
        }

        public Builder syncIntervalNanos(long value) {
            this.syncIntervalNanos = value;
            return this;
        }

        public Builder maxMemory(long value) {
            this.maxMemory = value;
            return this;
        }

        public Builder maxStorage(long value) {
            this.maxStorage = value;
            return this;
        }

        public Builder strict(boolean value) {
            this.strict = value;
            return this;
        }

        public Builder duplicateWindow(long value) {
            this.duplicateWindow = value;
            return this;
        }

        public Builder maxAckPending(int value) {
            this.maxAckPending = value;
            return this;
        }

        public Builder maxRequestBatch(int value) {
            this.maxRequestBatch = value;
            return this;
        }

        public Builder defaultMaxConsumers(int value) {
            this.defaultMaxConsumers = value;
            return this;
        }

        public Builder requestQueueLimit(int value) {
            this.requestQueueLimit = value;
            return this;
        }

        public Builder infoQueueLimit(int value) {
            this.infoQueueLimit = value;
            return this;
        }

        public Builder ingestMessages(int value) {
            this.ingestMessages = value;
            return this;
        }

        public Builder ingestBytes(long value) {
            this.ingestBytes = value;
            return this;
        }

        public Builder clusterName(String value) {
            this.clusterName = value;
            return this;
        }

        public Builder systemAccount(String value) {
            this.systemAccount = value;
            return this;
        }

        public Builder maxPending(long value) {
            this.maxPending = value;
            return this;
        }

        public Builder batches(BatchLimits value) {
            this.batches = value;
            return this;
        }

        public Builder disk(Disk value) {
            this.disk = value;
            return this;
        }

        public JetStreamOptions build() {
            return new JetStreamOptions(
                    storeDirectory,
                    serverName,
                    domain,
                    syncAlways,
                    syncIntervalNanos,
                    maxMemory,
                    maxStorage,
                    strict,
                    duplicateWindow,
                    maxAckPending,
                    maxRequestBatch,
                    defaultMaxConsumers,
                    requestQueueLimit,
                    infoQueueLimit,
                    ingestMessages,
                    ingestBytes,
                    clusterName,
                    systemAccount,
                    maxPending,
                    batches,
                    disk);
        }
    }
}
