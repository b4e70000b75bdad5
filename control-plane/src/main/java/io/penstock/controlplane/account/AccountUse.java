package io.penstock.controlplane.account;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.controlplane.broker.Broker;
import io.penstock.controlplane.broker.JetStream;
import io.penstock.controlplane.web.ErrorCode;
import io.penstock.controlplane.web.ProblemException;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;

/** What is in use in an account now, asked of the broker before a change, and whether new limits leave room for it. */
@ApplicationScoped
public class AccountUse {
    @Inject
    JetStream jetStream;

    @Inject
    Broker broker;

    /** Use of one kind of streams. */
    record Part(long streams, long consumers, long memoryBytes, long storageBytes) {
        static final Part NONE = new Part(0, 0, 0, 0);

        Part plus(Part other) {
            return new Part(
                    streams + other.streams,
                    consumers + other.consumers,
                    memoryBytes + other.memoryBytes,
                    storageBytes + other.storageBytes);
        }
    }

    /** Use by number of replicas (R1, R3 …) and open connections; `messages` of all streams. */
    public record Use(Map<String, Part> tiers, Optional<Long> connections, long messages) {
        Part all() {
            return tiers.values().stream().reduce(Part.NONE, Part::plus);
        }

        /** For a dry run. */
        Map<String, Object> affected() {
            Map<String, Object> out = new LinkedHashMap<>();
            Part all = all();
            out.put("streams", all.streams());
            out.put("consumers", all.consumers());
            out.put("messages", Long.toString(messages));
            out.put("bytes", all.memoryBytes() + all.storageBytes());
            connections.ifPresent(count -> out.put("connections", count));
            return out;
        }
    }

    /** Fails when the broker cannot be asked; an account without JetStream uses nothing of it. */
    public Use now(String accountId) {
        Map<String, Part> tiers = new LinkedHashMap<>();
        long messages = 0;
        for (JsonNode info : streams(accountId)) {
            JsonNode state = info.path("state");
            boolean memory = "memory".equals(info.at("/config/storage").asText());
            long bytes = state.path("bytes").asLong();
            Part part = new Part(1, state.path("consumer_count").asLong(), memory ? bytes : 0, memory ? 0 : bytes);
            tiers.merge("R" + info.at("/config/num_replicas").asInt(1), part, Part::plus);
            messages += state.path("messages").asLong();
        }
        return new Use(tiers, broker.connections(accountId), messages);
    }

    private List<JsonNode> streams(String accountId) {
        try {
            return jetStream.streams(accountId, null);
        } catch (ProblemException refused) {
            if (Integer.valueOf(10039).equals(refused.params().get("err_code"))) {
                return List.of();
            }
            throw refused;
        }
    }

    /** Refuses limits that are lower than before and than what is in use. */
    static void requireRoom(AccountLimits old, AccountLimits next, Use use, long exports, long imports) {
        use.connections().ifPresent(open -> check("connections", old.connections(), next.connections(), open));
        check("exports", old.exports(), next.exports(), exports);
        check("imports", old.imports(), next.imports(), imports);
        if (next.jetstream() != null) {
            check("jetstream.", old.jetstream(), next.jetstream(), use.all());
            return;
        }
        for (Map.Entry<String, Part> tier : use.tiers().entrySet()) {
            AccountLimits.JetStream limits = next.tiers().get(tier.getKey());
            if (limits == null) {
                throw refused("tiers." + tier.getKey(), 0, tier.getValue().streams());
            }
            check(
                    "tiers." + tier.getKey() + ".",
                    old.tiers() == null ? null : old.tiers().get(tier.getKey()),
                    limits,
                    tier.getValue());
        }
    }

    private static void check(String at, AccountLimits.JetStream old, AccountLimits.JetStream next, Part used) {
        // 0 turns a storage off, and means no limit for streams and consumers.
        check(at + "streams", was(old, AccountLimits.JetStream::streams), orNone(next.streams()), used.streams());
        check(
                at + "consumers",
                was(old, AccountLimits.JetStream::consumers),
                orNone(next.consumers()),
                used.consumers());
        check(
                at + "memory_bytes",
                was(old, AccountLimits.JetStream::memoryBytes),
                next.memoryBytes(),
                used.memoryBytes());
        check(
                at + "storage_bytes",
                was(old, AccountLimits.JetStream::storageBytes),
                next.storageBytes(),
                used.storageBytes());
    }

    private static long was(AccountLimits.JetStream old, ToLongFunction<AccountLimits.JetStream> limit) {
        return old == null ? -1 : limit.applyAsLong(old);
    }

    private static long orNone(long limit) {
        return limit == 0 ? -1 : limit;
    }

    private static void check(String limit, long old, long next, long used) {
        boolean lower = next != -1 && (old == -1 || next < old);
        if (lower && next < used) {
            throw refused(limit, next, used);
        }
    }

    private static ProblemException refused(String limit, long requested, long used) {
        return ProblemException.of(
                        ErrorCode.LIMIT_BELOW_USAGE,
                        "Limit " + limit + " of " + requested + " is below the " + used + " in use. Free some first.")
                .param("limit", limit)
                .param("requested", requested)
                .param("in_use", used);
    }
}
