package io.penstock.jetstream.runtime;

import io.penstock.broker.internal.JetStreamLimits;
import io.penstock.protocol.jetstream.ApiError;
import io.penstock.protocol.jetstream.JsError;
import io.penstock.protocol.jetstream.StorageType;
import io.penstock.protocol.jetstream.StreamConfig;

/** What accounts and the server use and may use. */
public final class Resources {
    /**
     * What an account uses, in bytes.
     *
     * @param reservedMemory sum of max_bytes of memory streams
     * @param reservedStorage sum of max_bytes of file streams
     */
    public record Usage(
            long memory, long storage, long reservedMemory, long reservedStorage, int streams, int consumers) {
        /** Nothing. */
        public static final Usage NONE = new Usage(0, 0, 0, 0, 0, 0);

        public Usage plus(Usage other) {
            return new Usage(
                    memory + other.memory,
                    storage + other.storage,
                    reservedMemory + other.reservedMemory,
                    reservedStorage + other.reservedStorage,
                    streams + other.streams,
                    consumers + other.consumers);
        }
    }

    private Resources() {}

    /** What the account uses now, in streams led here. */
    public static Usage usage(AccountRuntime account) {
        return usage(account, 0);
    }

    /** What the account uses now, in streams led here with this many replicas, 0 for any. */
    public static Usage usage(AccountRuntime account, int replicas) {
        int streams = 0;
        long memory = 0;
        long storage = 0;
        long reservedMemory = 0;
        long reservedStorage = 0;
        int consumers = 0;
        for (StreamRuntime stream : account.streams()) {
            StreamConfig config = stream.machine().config();
            if (replicas > 0 && config.numReplicas() != replicas) {
                continue;
            }
            streams++;
            long bytes = stream.machine().store().state().bytes();
            long reserved = Math.max(0, config.maxBytes());
            if (config.storage() == StorageType.MEMORY) {
                memory += bytes;
                reservedMemory += reserved;
            } else {
                storage += bytes;
                reservedStorage += reserved;
            }
            consumers += stream.machine().consumers().size();
        }
        return new Usage(memory, storage, reservedMemory, reservedStorage, streams, consumers);
    }

    /** What all accounts use now, in streams led here. */
    public static Usage total(Host host) {
        Usage total = Usage.NONE;
        for (AccountRuntime account : host.accounts()) {
            total = total.plus(usage(account));
        }
        return total;
    }

    /** The limits that hold for streams with this many replicas; null when the account has none that apply. */
    public static JetStreamLimits limits(AccountRuntime account, int replicas) {
        JetStreamLimits all = account.limits();
        if (all == null || all.tiers().isEmpty()) {
            return all;
        }
        return all.tiers().get("R" + replicas);
    }

    /**
     * Sees to it that there is room for the messages of a stream that comes from a backup.
     *
     * @throws io.penstock.protocol.jetstream.JsException when there is not
     */
    public static void checkRestore(AccountRuntime account, StreamConfig config, long bytes) {
        boolean memory = config.storage() == StorageType.MEMORY;
        JetStreamLimits limits = limits(account, config.numReplicas());
        if (limits == null) {
            throw JsError.NO_LIMITS.raise();
        }
        Host host = account.host();
        account.ledger().settle();
        long used = used(account, config) + bytes * times(account, config);
        long accountMax = memory ? limits.memoryBytes() : limits.storageBytes();
        long all = host.ledger().once(config.storage());
        long serverMax = memory ? host.options().maxMemory() : host.options().maxStorage();
        if ((accountMax >= 0 && used > accountMax) || (serverMax >= 0 && all + bytes > serverMax)) {
            throw (memory ? JsError.MEMORY_RESOURCES_EXCEEDED : JsError.STORAGE_RESOURCES_EXCEEDED).raise();
        }
    }

    /** How often a byte of a stream counts: without tiers each replica does. */
    private static int times(AccountRuntime account, StreamConfig config) {
        return tier(account, config) == 0 ? config.numReplicas() : 1;
    }

    private static int tier(AccountRuntime account, StreamConfig config) {
        JetStreamLimits all = account.limits();
        return all == null || all.tiers().isEmpty() ? 0 : config.numReplicas();
    }

    /** Bytes in use, on all nodes, that count towards the limit a stream is under. */
    private static long used(AccountRuntime account, StreamConfig config) {
        int tier = tier(account, config);
        Usage others = account.host().elsewhere(account.name(), tier);
        return account.ledger().used(config.storage(), tier)
                + (config.storage() == StorageType.MEMORY ? others.memory() : others.storage());
    }

    /** Whether there is room for a message of this size, which is on its way; null when there is. */
    static ApiError checkPublish(StreamRuntime stream, int size) {
        StreamConfig config = stream.machine().config();
        boolean memory = config.storage() == StorageType.MEMORY;
        JetStreamLimits limits = limits(stream.account(), config.numReplicas());
        long accountMax = limits == null ? -1 : memory ? limits.memoryBytes() : limits.storageBytes();
        Host host = stream.account().host();
        long serverMax = memory ? host.options().maxMemory() : host.options().maxStorage();
        if (accountMax < 0 && serverMax < 0) {
            return null;
        }
        AccountRuntime account = stream.account();
        account.ledger().settle();
        if (accountMax >= 0) {
            long waiting = account.ledger().waiting(config.storage()).get() * times(account, config);
            if (used(account, config) + waiting > accountMax) {
                return JsError.ACCOUNT_RESOURCES_EXCEEDED.of();
            }
        }
        if (serverMax >= 0 && host.ledger().once(config.storage()) + size > serverMax) {
            return JsError.INSUFFICIENT_RESOURCES.of();
        }
        return null;
    }
}
