package io.penstock.jetstream.cluster;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.broker.ServerIdentity;
import io.penstock.broker.internal.JetStreamLimits;
import io.penstock.jetstream.api.Views;
import io.penstock.jetstream.runtime.AccountRuntime;
import io.penstock.jetstream.runtime.Resources;
import io.penstock.protocol.jetstream.AccountLimits;
import io.penstock.protocol.jetstream.AccountTier;
import io.penstock.protocol.jetstream.ApiStats;
import io.penstock.protocol.jetstream.JetStreamJson;
import io.penstock.protocol.jetstream.JsError;
import io.penstock.protocol.jetstream.StorageType;
import io.penstock.protocol.jetstream.StreamConfig;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** What accounts use of the whole cluster, and whether a stream fits below their limits. */
final class Usages {
    private final MetaState state;

    Usages(MetaState state) {
        this.state = state;
    }

    /** Streams and reservations of an account. */
    private record Reserved(int streams, long memory, long storage) {}

    private static final class Sum {
        private int streams;
        private long memory;
        private long storage;
    }

    /**
     * @param replicas only streams with as many, 0 for all
     * @param without name of a stream that does not count
     */
    private Reserved reserved(String account, int replicas, String without) {
        Sum sum = new Sum();
        state.each(account, stream -> {
            StreamConfig config = stream.config();
            if ((replicas > 0 && config.numReplicas() != replicas)
                    || stream.stream().equals(without)) {
                return;
            }
            sum.streams++;
            // Limits of a tier are for one replica, others count each.
            long bytes = Math.max(0, config.maxBytes()) * (replicas > 0 ? 1 : config.numReplicas());
            if (config.storage() == StorageType.MEMORY) {
                sum.memory += bytes;
            } else {
                sum.storage += bytes;
            }
        });
        return new Reserved(sum.streams, sum.memory, sum.storage);
    }

    /** The account's limits for streams of this kind. */
    static JetStreamLimits limits(AccountRuntime account, int replicas) {
        JetStreamLimits limits = Resources.limits(account, replicas);
        if (limits == null) {
            throw JsError.NO_LIMITS.raise();
        }
        return limits;
    }

    /**
     * Sees to it that a stream fits.
     *
     * @param before its configuration so far, null for a new one
     */
    void check(AccountRuntime account, StreamConfig config, StreamConfig before) {
        JetStreamLimits limits = limits(account, config.numReplicas());
        boolean tiered = !account.limits().tiers().isEmpty();
        boolean memory = config.storage() == StorageType.MEMORY;
        long max = memory ? limits.memoryBytes() : limits.storageBytes();
        // Without a limit there is no need to look at every stream.
        Reserved reserved = max < 0 && limits.streams() <= 0
                ? new Reserved(0, 0, 0)
                : reserved(account.name(), tiered ? config.numReplicas() : 0, config.name());
        if (before == null && limits.streams() > 0 && reserved.streams() >= limits.streams()) {
            throw JsError.MAXIMUM_STREAMS_LIMIT.raise();
        }
        if (config.maxConsumers() > 0 && limits.consumers() > 0 && config.maxConsumers() > limits.consumers()) {
            throw JsError.MAXIMUM_CONSUMERS_LIMIT.raise();
        }
        long wanted = config.maxBytes() > 0
                ? config.maxBytes() * (tiered ? 1 : config.numReplicas())
                : before == null ? 1 : 0;
        if (max >= 0 && (memory ? reserved.memory() : reserved.storage()) + wanted > max) {
            throw memory ? JsError.MEMORY_RESOURCES_EXCEEDED.raise() : JsError.STORAGE_RESOURCES_EXCEEDED.raise();
        }
    }

    /**
     * The account as the API shows it.
     *
     * @param used by number of replicas, over all nodes
     */
    ObjectNode show(AccountRuntime account, Map<Integer, NodeStatus.Usage> used) {
        JetStreamLimits limits = account.limits();
        boolean tiered = !limits.tiers().isEmpty();
        ObjectNode node = JetStreamJson.tree(
                tiered ? totals(account, limits, used) : tier(account.name(), 0, used, Views.limits(limits)));
        String domain = account.host().options().domain();
        if (!domain.isEmpty()) {
            node.put("domain", domain);
        }
        node.set(
                "api",
                JetStreamJson.tree(new ApiStats(
                        ServerIdentity.API_LEVEL, account.apiTotal(), account.apiErrors(), account.apiWaiting())));
        if (tiered) {
            ObjectNode tiers = node.putObject("tiers");
            new TreeMap<>(limits.tiers()).forEach((name, own) -> {
                int replicas = name.matches("R[0-9]+") ? Integer.parseInt(name.substring(1)) : -1;
                tiers.set(name, JetStreamJson.tree(tier(account.name(), replicas, used, Views.limits(own))));
            });
        }
        return node;
    }

    private AccountTier totals(AccountRuntime account, JetStreamLimits limits, Map<Integer, NodeStatus.Usage> used) {
        AccountTier sum = new AccountTier(0, 0, 0, 0, 0, 0, new AccountLimits(0, 0, 0, 0, 0, 0, 0, false));
        for (String name : limits.tiers().keySet()) {
            int replicas = name.matches("R[0-9]+") ? Integer.parseInt(name.substring(1)) : -1;
            AccountTier one = tier(account.name(), replicas, used, sum.limits());
            sum = new AccountTier(
                    sum.memory() + one.memory(),
                    sum.storage() + one.storage(),
                    sum.reservedMemory() + one.reservedMemory(),
                    sum.reservedStorage() + one.reservedStorage(),
                    sum.streams() + one.streams(),
                    sum.consumers() + one.consumers(),
                    sum.limits());
        }
        return sum;
    }

    private AccountTier tier(String account, int replicas, Map<Integer, NodeStatus.Usage> used, AccountLimits limits) {
        Reserved reserved = reserved(account, replicas, null);
        Function<Integer, Integer> times = r -> replicas > 0 ? 1 : r;
        long memory = 0;
        long storage = 0;
        int consumers = 0;
        for (Map.Entry<Integer, NodeStatus.Usage> entry : used.entrySet()) {
            if (replicas == 0 || entry.getKey() == replicas) {
                memory += entry.getValue().memory() * times.apply(entry.getKey());
                storage += entry.getValue().storage() * times.apply(entry.getKey());
                consumers += entry.getValue().consumers();
            }
        }
        return new AccountTier(
                memory, storage, reserved.memory(), reserved.storage(), reserved.streams(), consumers, limits);
    }
}
