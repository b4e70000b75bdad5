package io.penstock.accountservice.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.penstock.accountservice.store.AccountEntity;
import io.penstock.accountservice.store.AccountState;
import io.penstock.accountservice.store.SyncState;
import java.time.Instant;
import java.util.List;

/**
 * An account as it is.
 *
 * @param desiredGeneration what the control plane asked for last
 * @param observedGeneration what every node has confirmed
 * @param revision counts changes of keys and revocations too
 * @param jwtIat unix second in the token signed last
 * @param signingKeyGroups only when one account is asked for
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
record AccountView(
        String accountId,
        String publicKey,
        String name,
        AccountState state,
        long desiredGeneration,
        long observedGeneration,
        long revision,
        SyncState syncState,
        String lastError,
        long jwtIat,
        Instant syncedAt,
        @JsonInclude(JsonInclude.Include.NON_NULL) List<GroupView> signingKeyGroups,
        @JsonInclude(JsonInclude.Include.NON_NULL) List<RevocationView> revocations) {

    /** A revocation in force. */
    record RevocationView(String userPublicKey, long revokedAt, String reason, Instant createdAt) {}

    static AccountView of(AccountEntity account, List<GroupView> groups, List<RevocationView> revocations) {
        return new AccountView(
                account.accountId,
                account.publicKey,
                account.name,
                account.state,
                account.generation,
                account.observedGeneration,
                account.revision,
                account.syncState(),
                account.lastError,
                account.jwtIat,
                account.syncedAt,
                groups,
                revocations);
    }
}
