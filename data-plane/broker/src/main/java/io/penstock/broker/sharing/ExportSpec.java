package io.penstock.broker.sharing;

import io.penstock.broker.sharing.ExportConfig.Latency;
import io.penstock.broker.sharing.ExportConfig.ResponseType;
import java.time.Duration;
import java.util.Set;

/**
 * What an account offers, from whichever source: configuration or claims.
 *
 * @param subject pattern offered, wire bytes
 * @param accounts the accounts that may import it, or null for all that satisfy the other rules
 * @param tokenRequired whether importers need an activation
 * @param revocations activations that are void
 * @param threshold longest wait for an answer
 * @param latency null when not measured
 * @param accountTokenPosition 1-based token that must be the importer's account, 0 for none
 */
public record ExportSpec(
        ShareKind kind,
        String subject,
        Set<String> accounts,
        boolean tokenRequired,
        Revocations revocations,
        ResponseType responseType,
        Duration threshold,
        Latency latency,
        int accountTokenPosition,
        boolean allowTrace) {
    /** How long a service may take to answer when the export does not say. */
    public static final Duration DEFAULT_THRESHOLD = Duration.ofMinutes(2);
}
