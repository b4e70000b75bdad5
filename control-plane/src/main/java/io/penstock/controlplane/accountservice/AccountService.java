package io.penstock.controlplane.accountservice;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.List;

/**
 * account-service, the only holder of signing keys, as the control plane sees it. Each call says who wants it and why. Calls
 * block. Failures are `ProblemException`s, or what the circuit breaker throws.
 */
public interface AccountService {
    /** Who asks, for what action, in which request: goes into the signed statement and account-service's own log. */
    record Reason(String principal, String action, String requestId) {}

    /** Desired state of an account; `limits` as account-service names them. */
    record AccountSpec(
            long generation,
            String name,
            JsonNode limits,
            JsonNode defaultPermissions,
            JsonNode exports,
            JsonNode imports,
            JsonNode mappings,
            String state) {}

    /** Where an account or a group stands. `syncState` is syncing, synced or failed. */
    record AccountStatus(
            String accountId, String publicKey, long observedGeneration, String syncState, String lastError) {}

    /** Desired state of a signing-key group. */
    record GroupSpec(String role, String description, JsonNode template) {}

    /** The group's current key. */
    record GroupStatus(String groupId, String publicKey, Long version, String syncState) {}

    /** A revocation in force: tokens of the key issued until `before` are void. */
    record Revocation(String userPublicKey, Instant before, String reason, Instant createdAt) {}

    /** Leave to import; `notBefore` is a unix second the token must not be older than, `expiresAt` may be null. */
    record ActivationCommand(
            String importerPublicKey, String subject, String type, long notBefore, Instant expiresAt) {}

    /** What to issue. Without `publicKey` a key is made there and its seed comes back once. */
    record IssueCommand(
            String userId,
            String issuanceId,
            String name,
            String publicKey,
            List<String> tags,
            long ttlSeconds,
            String channel,
            String issuedBy) {}

    /** The JWT; `creds` holds a seed or is null. */
    record Issued(String userPublicKey, String jti, String jwt, String creds, Instant issuedAt, Instant expiresAt) {
        @Override
        public String toString() {
            return "Issued[" + userPublicKey + ", " + jti + "]";
        }
    }

    /** A user of the tenant's account for our own JetStream calls; in memory only. */
    record ManagementCredential(String jwt, String seed, Instant expiresAt) {
        @Override
        public String toString() {
            return "ManagementCredential[until " + expiresAt + "]";
        }
    }

    /** What the ledger knows of an issuance. The client fields may be null. */
    record LedgerEntry(
            String issuanceId,
            Instant firstConnected,
            Instant lastConnected,
            String clientLang,
            String clientVersion,
            String clientIp) {}

    AccountStatus putAccount(Reason why, String accountId, AccountSpec spec);

    AccountStatus getAccount(Reason why, String accountId);

    GroupStatus putGroup(Reason why, String accountId, String groupId, GroupSpec spec);

    /** Starts the deletion for good; nothing happens when it is deleted. */
    void deleteAccount(Reason why, String accountId);

    /** Makes a new key and keeps the previous one for a while. */
    GroupStatus rotateGroup(Reason why, String accountId, String groupId, long keepPreviousSeconds);

    void deleteGroup(Reason why, String accountId, String groupId);

    Issued issue(Reason why, String accountId, String groupId, IssueCommand command);

    /** Voids what was issued to the key until `before`, or until now when it is null; returns until when in truth. */
    Instant revoke(Reason why, String accountId, String userPublicKey, String reason, Instant before);

    /** Takes a revocation back; nothing happens when there is none. */
    void liftRevocation(Reason why, String accountId, String userPublicKey);

    /** Those in force, in order of keys. */
    List<Revocation> revocations(Reason why, String accountId);

    /** An activation token. */
    String activate(Reason why, String accountId, ActivationCommand command);

    ManagementCredential managementCredential(Reason why, String accountId, int ttlSeconds);

    List<LedgerEntry> ledger(Reason why, String accountId);
}
