package io.penstock.controlplane.account;

import io.penstock.controlplane.tenancy.TenantEntity;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import java.time.Instant;

/** A tenant's broker account: what it should be, and how far the broker has got. */
@Entity
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
