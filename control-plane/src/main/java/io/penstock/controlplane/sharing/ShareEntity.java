package io.penstock.controlplane.sharing;

import io.penstock.controlplane.tenancy.TenantEntity;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import java.time.Instant;
import org.hibernate.annotations.DynamicUpdate;

/**
 * An export offered to one account, perhaps of another organisation. The only row that two organisations see: the exporter's, and the one
 * that owns `targetPublicKey`.
 */
@Entity
@DynamicUpdate
@Table(name = "share")
public class ShareEntity extends TenantEntity {
    @Column(name = "account_id", updatable = false)
    public String accountId;

    @Column(name = "export_id", updatable = false)
    public String exportId;

    @Column(name = "target_public_key", updatable = false)
    public String targetPublicKey;

    /** Only within the organisation. */
    @Column(name = "target_account_id", updatable = false)
    public String targetAccountId;

    /** offered, accepted, declined or revoked. */
    public String state;

    @Column(name = "expires_at", updatable = false)
    public Instant expiresAt;

    @Column(name = "decided_at")
    public Instant decidedAt;

    /** Unix second of the revocation: activations issued until then are void. */
    @Column(name = "revoked_second")
    public Long revokedSecond;

    @Column(name = "exporter_public_key", updatable = false)
    public String exporterPublicKey;

    @Column(name = "export_name")
    public String exportName;

    public String subject;

    @Column(updatable = false)
    public String type;

    public String description;

    @Column(name = "response_type")
    public String responseType;

    @Column(name = "account_token_position")
    public int accountTokenPosition;

    /** The activation; good for its target alone, so not secret. */
    public String token;

    /** The target's own, not shown to the exporter. */
    @Column(name = "importer_org_id")
    public String importerOrgId;

    @Column(name = "importer_account_id")
    public String importerAccountId;

    @Version
    public long version;

    @Column(name = "created_at", updatable = false)
    public Instant createdAt;

    @Column(name = "updated_at")
    public Instant updatedAt;

    boolean isOver(Instant now) {
        return "revoked".equals(state) || (expiresAt != null && !expiresAt.isAfter(now));
    }
}
