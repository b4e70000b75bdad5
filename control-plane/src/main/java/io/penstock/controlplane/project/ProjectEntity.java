package io.penstock.controlplane.project;

import io.penstock.controlplane.tenancy.TenantEntity;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import java.time.Instant;

/** Groups accounts within an organisation. */
@Entity
@Table(name = "project")
public class ProjectEntity extends TenantEntity {
    public String name;

    public String description = "";

    /** development or production. */
    public String environment = "development";

    @Column(name = "deletion_protection")
    public boolean deletionProtection;

    /** Set while accounts of a deleted project can still be restored. */
    @Column(name = "deleted_at")
    public Instant deletedAt;

    public boolean isProduction() {
        return "production".equals(environment);
    }

    @Version
    public long version;

    @Column(name = "created_at", updatable = false)
    public Instant createdAt;

    @Column(name = "updated_at")
    public Instant updatedAt;
}
