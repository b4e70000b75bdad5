package io.penstock.controlplane.access;

import io.penstock.controlplane.tenancy.Role;
import io.penstock.controlplane.tenancy.TenantEntity;
import io.penstock.controlplane.web.Etags;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Table;
import java.time.Instant;
import org.hibernate.annotations.Immutable;

/** A role that somebody has, in the organisation or in one project. Given and taken, never changed. */
@Entity
@Immutable
@Table(name = "role_assignment")
public class RoleAssignmentEntity extends TenantEntity {
    @Column(name = "principal_kind")
    public String principalKind;

    @Column(name = "principal_id")
    public String principalId;

    public String role;

    @Column(name = "project_id")
    public String projectId;

    @Column(name = "created_at")
    public Instant createdAt;

    @Column(name = "created_by")
    public String createdBy;

    Role role() {
        return Role.of(role);
    }

    String etag() {
        return Etags.ofContent(id);
    }
}
