package io.penstock.controlplane.project;

import io.penstock.controlplane.tenancy.Locator;
import io.penstock.controlplane.tenancy.Scope;
import io.penstock.controlplane.tenancy.TenantRepository;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Instant;

/** Projects of one organisation. */
@ApplicationScoped
public class ProjectRepository extends TenantRepository<ProjectEntity> {
    @Inject
    Locator locator;

    public ProjectEntity create(Scope scope, String id, String name, Instant now) {
        ProjectEntity project = new ProjectEntity();
        project.id = id;
        project.orgId = scope.orgId();
        project.name = name;
        project.createdAt = now;
        project.updatedAt = now;
        locator.add(id, scope.orgId());
        persistAndFlush(project);
        return project;
    }
}
