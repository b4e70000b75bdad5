package io.penstock.claims;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Limits of an account. -1 is unlimited; 0 is none at all, and what a token leaves out is 0.
 *
 * @param subscriptions most subscriptions
 * @param data bytes; not enforced by anyone
 * @param payload most bytes of a message
 * @param imports most imports
 * @param exports most exports
 * @param wildcardExports whether exports may have wildcards
 * @param disallowBearer whether bearer tokens are refused
 * @param connections most client connections
 * @param leafNodes most leaf node connections
 * @param jetStream limits over all tiers
 * @param tiers limits by tier `R1`, `R3` …; excludes the limits over all tiers
 */
public record AccountLimits(
        long subscriptions,
        long data,
        long payload,
        long imports,
        long exports,
        boolean wildcardExports,
        boolean disallowBearer,
        long connections,
        long leafNodes,
        JetStreamClaimLimits jetStream,
        Map<String, JetStreamClaimLimits> tiers) {

    /** No limits but JetStream, which is off. */
    public static final AccountLimits UNLIMITED =
            new AccountLimits(-1, -1, -1, -1, -1, true, false, -1, -1, JetStreamClaimLimits.DISABLED, Map.of());

    public AccountLimits {
        tiers = Collections.unmodifiableMap(new LinkedHashMap<>(tiers));
    }

    /** Whether the account may use JetStream at all. */
    public boolean isJetStreamEnabled() {
        return jetStream.isEnabled() || tiers.values().stream().anyMatch(JetStreamClaimLimits::isEnabled);
    }

    /** The same with other JetStream limits over all tiers. */
    public AccountLimits withJetStream(JetStreamClaimLimits other) {
        return new AccountLimits(
                subscriptions,
                data,
                payload,
                imports,
                exports,
                wildcardExports,
                disallowBearer,
                connections,
                leafNodes,
                other,
                tiers);
    }

    static AccountLimits read(JsonObject json) throws InvalidTokenException {
        Map<String, JetStreamClaimLimits> tiers = new LinkedHashMap<>();
        JsonObject tiered = json.object("tiered_limits");
        for (String tier : tiered.names()) {
            tiers.put(tier, JetStreamClaimLimits.read(tiered.object(tier)));
        }
        return new AccountLimits(
                json.number("subs"),
                json.number("data"),
                json.number("payload"),
                json.number("imports"),
                json.number("exports"),
                json.bool("wildcards"),
                json.bool("disallow_bearer"),
                json.number("conn"),
                json.number("leaf"),
                JetStreamClaimLimits.read(json),
                tiers);
    }

    Map<String, Object> toJson() {
        JsonFields fields = new JsonFields()
                .put("subs", subscriptions)
                .put("data", data)
                .put("payload", payload)
                .put("imports", imports)
                .put("exports", exports)
                .put("wildcards", wildcardExports)
                .put("disallow_bearer", disallowBearer)
                .put("conn", connections)
                .put("leaf", leafNodes);
        jetStream.write(fields);
        Map<String, Object> tiered = new LinkedHashMap<>();
        tiers.forEach((tier, limits) -> tiered.put(tier, limits.toJson()));
        return fields.put("tiered_limits", tiered).toMap();
    }

    void validate(ValidationResults results) {
        if (!tiers.isEmpty() && jetStream.isEnabled()) {
            results.error("JetStream limits and tiered JetStream limits are mutually exclusive");
        }
        if (tiers.containsKey("")) {
            results.error("tiered JetStream limits cannot contain a blank tier name");
        }
    }
}
