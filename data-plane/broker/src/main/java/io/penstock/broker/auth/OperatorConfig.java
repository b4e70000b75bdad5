package io.penstock.broker.auth;

import io.penstock.broker.resolver.ResolverConfig;
import java.util.List;
import java.util.Map;

/**
 * Operator mode: whose signature on account JWTs counts, and where those JWTs come from.
 *
 * @param operatorJwts operator JWTs as text (files already read)
 * @param trustedKeys public operator keys of {@code trusted_keys}; excludes operator JWTs
 * @param preload account JWTs of {@code resolver_preload} by account public key
 * @param pinnedAccounts {@code resolver_pinned_accounts}: the only accounts users may log in to; empty allows all
 * @param defaultSentinel bearer user JWT for connections that bring none, or null
 */
public record OperatorConfig(
        List<String> operatorJwts,
        List<String> trustedKeys,
        ResolverConfig resolver,
        Map<String, String> preload,
        List<String> pinnedAccounts,
        String defaultSentinel) {
    public OperatorConfig {
        operatorJwts = List.copyOf(operatorJwts);
        trustedKeys = List.copyOf(trustedKeys);
        preload = Map.copyOf(preload);
        pinnedAccounts = List.copyOf(pinnedAccounts);
    }
}
