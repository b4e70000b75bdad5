package io.penstock.accountservice.account;

import io.penstock.accountservice.store.AccountState;
import java.util.List;
import java.util.Map;

/**
 * What the control plane wants of an account. Limits: -1 is unlimited, and so is one left out.
 *
 * @param generation counts the control plane's changes; a lower one than known is refused
 * @param state `active` or `suspended`
 */
public record AccountSpec(
        Long generation,
        String name,
        Limits limits,
        PermissionsSpec defaultPermissions,
        List<ExportSpec> exports,
        List<ImportSpec> imports,
        Map<String, List<MappingSpec>> mappings,
        List<String> tags,
        AccountState state) {

    public AccountSpec {
        exports = exports == null ? List.of() : exports;
        imports = imports == null ? List.of() : imports;
        mappings = mappings == null ? Map.of() : mappings;
        tags = tags == null ? List.of() : tags;
        state = state == null ? AccountState.ACTIVE : state;
        limits = limits == null ? new Limits(null, null, null, null, null, null, null, null, null, null) : limits;
    }

    /**
     * Limits of the account. Bearer tokens are refused unless allowed, JetStream is off unless given.
     *
     * @param tiers JetStream limits by replicas (`R1`, `R3` …) in the place of those for all streams
     */
    public record Limits(
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
        public Limits {
            tiers = tiers == null ? Map.of() : tiers;
        }
    }

    /** JetStream limits; a storage left out is off. */
    public record JetStream(
            Long memoryBytes,
            Long storageBytes,
            Long streams,
            Long consumers,
            Long maxAckPending,
            Long memoryMaxStreamBytes,
            Long storageMaxStreamBytes,
            Boolean maxBytesRequired) {}

    /**
     * Something offered to other accounts.
     *
     * @param type `stream` or `service`
     * @param responseType `Singleton`, `Stream` or `Chunked`, for services
     * @param latency where latency reports go, or null
     * @param allowTrace whether message traces go on into the account, for services
     * @param revocations by importer's public key: activations issued until this unix second are void
     */
    public record ExportSpec(
            String name,
            String subject,
            String type,
            boolean tokenRequired,
            String responseType,
            int accountTokenPosition,
            boolean advertise,
            String description,
            Latency latency,
            boolean allowTrace,
            Map<String, Long> revocations) {
        public ExportSpec {
            revocations = revocations == null ? Map.of() : revocations;
        }
    }

    /**
     * Latency reports of a service.
     *
     * @param sampling percent, 0 for requests that ask by header
     * @param results subject of the reports
     */
    public record Latency(int sampling, String results) {}

    /**
     * Something taken from another account, named by its id here or by its public key.
     *
     * @param type `stream` or `service`
     * @param token activation of a private export
     */
    public record ImportSpec(
            String name,
            String subject,
            String accountId,
            String accountPublicKey,
            String localSubject,
            String type,
            String token,
            boolean share,
            boolean allowTrace) {}

    /** Where a mapped subject goes. */
    public record MappingSpec(String subject, int weight, String cluster) {}
}
