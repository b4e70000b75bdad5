package io.penstock.controlplane.account;

import io.penstock.controlplane.tenancy.TenantEntity;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import java.time.Instant;
import org.hibernate.annotations.DynamicUpdate;

/**
 * A tenant's broker account: what it should be, and how far the broker has got. Generations and sync columns are written by statements
 * only, of several transactions at once; so an update writes changed columns alone.
 */
@Entity
@DynamicUpdate
@Table(name = "account")
public class AccountEntity extends TenantEntity {
    @Column(name = "project_id", updatable = false)
    public String projectId;

    public String name;

    @Column(name = "public_key")
    public String publicKey;

    public String state;

    /** JSON of {@link AccountLimits}. */
    public String limits;

    @Column(name = "deletion_protection")
    public boolean deletionProtection;

    /** JSON of {@link PermissionSet}, or null. */
    @Column(name = "default_permissions")
    public String defaultPermissions;

    /** JSON list of {@link SubjectMapping}. */
    public String mappings = "[]";

    @Column(name = "deleted_at")
    public Instant deletedAt;

    /** From then on a deleted account is gone for good. */
    @Column(name = "purge_at")
    public Instant purgeAt;

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

    @Column(name = "onboarding_dismissed_at")
    public Instant onboardingDismissedAt;

    @Version
    public long version;

    @Column(name = "created_at", updatable = false)
    public Instant createdAt;

    @Column(name = "updated_at")
    public Instant updatedAt;
}
