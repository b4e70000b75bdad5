package io.penstock.controlplane.access;

import io.penstock.controlplane.tenancy.Rights;
import io.penstock.controlplane.tenancy.TenantRepository;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;

/** Role assignments of one organisation. */
@ApplicationScoped
public class RoleAssignmentRepository extends TenantRepository<RoleAssignmentEntity> {
    List<RoleAssignmentEntity> of(String orgId, String principalId) {
        return list("orgId = ?1 and principalId = ?2 order by id", orgId, principalId);
    }

    Rights rights(String orgId, String principalId) {
        return Rights.of(of(orgId, principalId).stream()
                .map(row -> new Rights.Given(row.role(), row.projectId))
                .toList());
    }

    long owners(String orgId) {
        return count("orgId = ?1 and role = 'owner' and projectId is null and principalKind = 'user'", orgId);
    }
}
