package io.penstock.claims;

import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What an account's claims must satisfy. */
final class AccountRules {
    private static final int MAX_INFO_LENGTH = 8 * 1024;

    private AccountRules() {}

    static ValidationResults validate(AccountClaims claims, Instant now) {
        ValidationResults results = new ValidationResults();
        results.times(claims, now);
        ShareRules.validateImports(claims, now, results);
        ShareRules.validateExports(claims, results);
        claims.limits().validate(results);
        validateCounts(claims, results);
        claims.defaultPermissions().validate(results);
        validateMappings(claims.mappings(), results);
        claims.authorization().validate(results);
        if (claims.trace() != null) {
            claims.trace().validate(results);
        }
        validateSigningKeys(claims, results);
        validateRevocations(claims.revocations(), results);
        if (!Set.of("", "system", "owner").contains(claims.clusterTraffic())) {
            results.error("cluster_traffic must be system or owner, not '" + claims.clusterTraffic() + "'");
        }
        if (claims.description().length() > MAX_INFO_LENGTH || claims.infoUrl().length() > MAX_INFO_LENGTH) {
            results.error("description and info_url may have " + MAX_INFO_LENGTH + " characters");
        }
        return results;
    }

    private static void validateCounts(AccountClaims claims, ValidationResults results) {
        AccountLimits limits = claims.limits();
        if (limits.imports() >= 0 && claims.imports().size() > limits.imports()) {
            results.error("the account contains more imports than allowed by the operator");
        }
        if (limits.exports() >= 0 && claims.exports().size() > limits.exports()) {
            results.error("the account contains more exports than allowed by the operator");
        }
        if (!limits.wildcardExports()) {
            claims.exports().stream()
                    .filter(export -> SubjectRules.hasWildcards(export.subject()))
                    .forEach(export -> results.error("the account contains wildcard export '" + export.subject()
                            + "' that is not allowed by the operator"));
        }
    }

    private static void validateMappings(Map<String, List<WeightedMapping>> mappings, ValidationResults results) {
        mappings.forEach((source, destinations) -> {
            SubjectRules.validate(source, results);
            Map<String, Integer> totals = new HashMap<>();
            for (WeightedMapping destination : destinations) {
                SubjectRules.validate(destination.subject(), results);
                if (destination.weight() < 0 || destination.weight() > 100) {
                    results.error("mapping '" + source + "' has a weight that is no percentage");
                }
                int _ = totals.merge(destination.cluster(), destination.effectiveWeight(), Integer::sum);
            }
            if (totals.values().stream().anyMatch(total -> total > 100)) {
                results.error("mapping '" + source + "' exceeds 100% among all of its weighted to mappings");
            }
        });
    }

    private static void validateSigningKeys(AccountClaims claims, ValidationResults results) {
        Set<String> seen = new HashSet<>();
        for (SigningKey key : claims.signingKeys()) {
            if (!NKeys.isPublicKey(KeyType.ACCOUNT, key.key())) {
                results.error("signing key '" + key.key() + "' is not an account public key");
            }
            if (!seen.add(key.key())) {
                results.error("signing key '" + key.key() + "' is listed twice");
            }
            if (key.isScoped()) {
                key.scope().template().validate(results);
            }
        }
    }

    private static void validateRevocations(Map<String, Long> revocations, ValidationResults results) {
        for (String key : revocations.keySet()) {
            if (!key.equals("*") && !NKeys.isPublicKey(KeyType.USER, key)) {
                results.error("revocation '" + key + "' is not a user public key");
            }
        }
    }
}
