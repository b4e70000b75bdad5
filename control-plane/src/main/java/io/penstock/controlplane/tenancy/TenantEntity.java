package io.penstock.controlplane.tenancy;

import jakarta.persistence.Column;
import jakarta.persistence.Id;
import jakarta.persistence.MappedSuperclass;

/** A row of one organisation. */
@MappedSuperclass
public abstract class TenantEntity {
    @Id
    public String id;

    @Column(name = "org_id", nullable = false, updatable = false)
    public String orgId;
}
