package io.penstock.controlplane.org;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import java.time.Instant;

/** A tenant: who pays, and whose members see what it owns. */
@Entity
@Table(name = "organization")
public class OrganizationEntity {
    @Id
    public String id;

    public String name;

    public String state;

    @Version
    public long version;

    @Column(name = "created_at", updatable = false)
    public Instant createdAt;

    @Column(name = "updated_at")
    public Instant updatedAt;
}
