package io.penstock.controlplane.access;

import io.penstock.controlplane.tenancy.TenantEntity;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import java.time.Instant;

/** A machine that acts with tokens. */
@Entity
@Table(name = "service_account")
public class ServiceAccountEntity extends TenantEntity {
    @Column(name = "project_id", updatable = false)
    public String projectId;

    public String name;

    public String description;

    public boolean disabled;

    @Version
    public long version;

    @Column(name = "created_at", updatable = false)
    public Instant createdAt;

    @Column(name = "created_by", updatable = false)
    public String createdBy;

    @Column(name = "updated_at")
    public Instant updatedAt;
}
