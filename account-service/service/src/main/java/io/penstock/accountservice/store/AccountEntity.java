package io.penstock.accountservice.store;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;

/**
 * An account: what is wanted, what is signed, what is on the nodes.
 *
 * <p>`generation` counts what the control plane asked for; `revision` counts every change that alters the claims, of
 * keys and revocations too. `signedX` belong to `jwt`, `syncedRevision` and `observedGeneration` to what every node
 * has confirmed.
 */
@Entity
@Table(name = "account")
public class AccountEntity {
    @Id
    @Column(name = "account_id")
    public String accountId;

    @Column(name = "public_key")
    public String publicKey;

    public String name;

    @Enumerated(EnumType.STRING)
    public AccountState state;

    public long generation;

    /** The control plane's wish as JSON of AccountSpec. */
    public String spec;

    public long revision;

    @Column(name = "signed_revision")
    public long signedRevision;

    @Column(name = "signed_generation")
    public long signedGeneration;

    @Column(name = "synced_revision")
    public long syncedRevision;

    @Column(name = "observed_generation")
    public long observedGeneration;

    public String jwt;

    @Column(name = "jwt_hash")
    public String jwtHash;

    /** Unix seconds; only ever grows. */
    @Column(name = "jwt_iat")
    public long jwtIat;

    @Column(name = "last_error")
    public String lastError;

    @Column(name = "synced_at")
    public Instant syncedAt;

    @Column(name = "created_at")
    public Instant createdAt;

    @Column(name = "deleted_at")
    public Instant deletedAt;

    /** Whether all nodes have confirmed everything asked for. */
    public SyncState syncState() {
        if (syncedRevision == revision) {
            return SyncState.SYNCED;
        }
        return lastError == null ? SyncState.SYNCING : SyncState.FAILED;
    }
}
