package io.penstock.controlplane.account;

import io.penstock.controlplane.web.ErrorCode;
import io.penstock.controlplane.web.ProblemException;
import io.penstock.controlplane.web.ProblemException.InvalidParameter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Limits to set; null leaves what is there. Tiers replace all tiers and `jetstream`, and the other way round. */
public record AccountLimitsPatch(
        Long connections,
        Long leafNodes,
        Long subscriptions,
        Long payloadBytes,
        Long imports,
        Long exports,
        Boolean wildcardExports,
        Boolean bearerTokensAllowed,
        JetStream jetstream,
        Map<String, JetStream> tiers) {

    private static final Set<String> TIERS = Set.of("R1", "R3", "R5");

    /** JetStream limits to set. */
    public record JetStream(
            Long memoryBytes,
            Long storageBytes,
            Long streams,
            Long consumers,
            Long maxAckPending,
            Long memoryMaxStreamBytes,
            Long storageMaxStreamBytes,
            Boolean maxBytesRequired) {

        AccountLimits.JetStream onto(AccountLimits.JetStream old) {
            return new AccountLimits.JetStream(
                    or(memoryBytes, old.memoryBytes()),
                    or(storageBytes, old.storageBytes()),
                    or(streams, old.streams()),
                    or(consumers, old.consumers()),
                    or(maxAckPending, old.maxAckPending()),
                    or(memoryMaxStreamBytes, old.memoryMaxStreamBytes()),
                    or(storageMaxStreamBytes, old.storageMaxStreamBytes()),
                    maxBytesRequired == null ? old.maxBytesRequired() : maxBytesRequired);
        }

        private void check(String at, List<InvalidParameter> wrong) {
            atLeastUnlimited(at + "memory_bytes", memoryBytes, wrong);
            atLeastUnlimited(at + "storage_bytes", storageBytes, wrong);
            atLeastUnlimited(at + "streams", streams, wrong);
            atLeastUnlimited(at + "consumers", consumers, wrong);
            atLeastUnlimited(at + "max_ack_pending", maxAckPending, wrong);
            atLeastUnlimited(at + "memory_max_stream_bytes", memoryMaxStreamBytes, wrong);
            atLeastUnlimited(at + "storage_max_stream_bytes", storageMaxStreamBytes, wrong);
        }
    }

    /** The limits with these set. Fails with 422 when they do not fit together. */
    AccountLimits onto(AccountLimits old) {
        check();
        AccountLimits.JetStream flat = old.jetstream();
        Map<String, AccountLimits.JetStream> perTier = old.tiers();
        if (jetstream != null) {
            flat = jetstream.onto(flat == null ? AccountLimits.JetStream.initial() : flat);
            perTier = null;
        } else if (tiers != null) {
            Map<String, AccountLimits.JetStream> fresh = new TreeMap<>();
            tiers.forEach((tier, limits) -> fresh.put(
                    tier,
                    limits.onto(
                            old.tiers() == null || !old.tiers().containsKey(tier)
                                    ? AccountLimits.JetStream.initial()
                                    : old.tiers().get(tier))));
            flat = null;
            perTier = fresh;
        }
        return new AccountLimits(
                or(connections, old.connections()),
                or(leafNodes, old.leafNodes()),
                or(subscriptions, old.subscriptions()),
                or(payloadBytes, old.payloadBytes()),
                or(imports, old.imports()),
                or(exports, old.exports()),
                wildcardExports == null ? old.wildcardExports() : wildcardExports,
                bearerTokensAllowed == null ? old.bearerTokensAllowed() : bearerTokensAllowed,
                flat,
                perTier);
    }

    private void check() {
        List<InvalidParameter> wrong = new ArrayList<>();
        atLeastUnlimited("limits.connections", connections, wrong);
        atLeastUnlimited("limits.leaf_nodes", leafNodes, wrong);
        atLeastUnlimited("limits.subscriptions", subscriptions, wrong);
        atLeastUnlimited("limits.payload_bytes", payloadBytes, wrong);
        atLeastUnlimited("limits.imports", imports, wrong);
        atLeastUnlimited("limits.exports", exports, wrong);
        if (jetstream != null) {
            jetstream.check("limits.jetstream.", wrong);
        }
        if (jetstream != null && tiers != null) {
            wrong.add(body("limits.tiers", "exclusive", "give `jetstream` or `tiers`, not both"));
        }
        if (tiers != null && tiers.isEmpty()) {
            wrong.add(body("limits.tiers", "size", "give at least one of R1, R3 and R5"));
        }
        if (tiers != null) {
            tiers.forEach((tier, limits) -> {
                if (!TIERS.contains(tier) || limits == null) {
                    wrong.add(body("limits.tiers." + tier, "key", "tiers are R1, R3 and R5"));
                } else {
                    limits.check("limits.tiers." + tier + ".", wrong);
                }
            });
        }
        if (!wrong.isEmpty()) {
            throw ProblemException.invalid(ErrorCode.VALIDATION_FAILED, wrong);
        }
    }

    private static void atLeastUnlimited(String field, Long value, List<InvalidParameter> wrong) {
        if (value != null && value < -1) {
            wrong.add(body(field, "min", "-1 for unlimited, or a number from 0"));
        }
    }

    private static InvalidParameter body(String field, String rule, String reason) {
        return new InvalidParameter(field, rule, reason, "body");
    }

    private static long or(Long given, long old) {
        return given == null ? old : given;
    }
}
