package io.penstock.controlplane.sharing;

import io.penstock.controlplane.tenancy.TenantEntity;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import java.time.Instant;

/** Something an account takes from another one. */
@Entity
@Table(name = "account_import")
public class ImportEntity extends TenantEntity {
    @Column(name = "account_id", updatable = false)
    public String accountId;

    public String name;

    /** stream or service. */
    @Column(updatable = false)
    public String type;

    public String subject;

    /** Null for the same subject. */
    @Column(name = "local_subject")
    public String localSubject;

    /** Only within the organisation. */
    @Column(name = "remote_account_id", updatable = false)
    public String remoteAccountId;

    @Column(name = "remote_public_key", updatable = false)
    public String remotePublicKey;

    @Column(name = "share_id")
    public String shareId;

    /** An activation the exporter gave out by hand. */
    @Column(name = "own_token")
    public String ownToken;

    @Column(name = "share_connection_info")
    public boolean shareConnectionInfo;

    @Column(name = "allow_trace")
    public boolean allowTrace;

    /** End of the own activation. */
    @Column(name = "expires_at")
    public Instant expiresAt;

    /** The account's generation that has the last change. */
    public long generation;

    @Version
    public long version;

    @Column(name = "created_at", updatable = false)
    public Instant createdAt;

    @Column(name = "updated_at")
    public Instant updatedAt;

    String local() {
        return localSubject == null ? subject : localSubject;
    }
}
