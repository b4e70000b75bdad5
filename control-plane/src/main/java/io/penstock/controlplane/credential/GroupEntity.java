package io.penstock.controlplane.credential;

import io.penstock.controlplane.tenancy.TenantEntity;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import java.time.Instant;

/** A signing-key group: a template of rights and, in account-service, the keys that sign under it. */
@Entity
@Table(name = "signing_key_group")
public class GroupEntity extends TenantEntity {
    @Column(name = "account_id", updatable = false)
    public String accountId;

    public String name;

    public String description;

    /** JSON of {@link ScopeTemplate}. */
    public String template;

    @Column(name = "public_key")
    public String publicKey;

    @Column(name = "key_version")
    public Long keyVersion;

    @Column(name = "desired_generation")
    public long desiredGeneration;

    @Column(name = "observed_generation")
    public long observedGeneration;

    @Column(name = "sync_state")
    public String syncState;

    @Column(name = "sync_error")
    public String syncError;

    @Column(name = "sync_since")
    public Instant syncSince;

    @Version
    public long version;

    @Column(name = "created_at", updatable = false)
    public Instant createdAt;

    @Column(name = "updated_at")
    public Instant updatedAt;
}
