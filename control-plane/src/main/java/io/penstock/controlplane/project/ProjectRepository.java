package io.penstock.controlplane.project;

import io.penstock.controlplane.tenancy.Locator;
import io.penstock.controlplane.tenancy.Scope;
import io.penstock.controlplane.tenancy.TenantRepository;
import io.penstock.controlplane.web.Paging;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Instant;
import java.util.List;
import java.util.Set;

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
        locator.addProject(id, scope.orgId());
        persistAndFlush(project);
        return project;
    }

    /** As the other window, of these projects only. */
    List<ProjectEntity> window(Scope scope, Set<String> only, Paging.Window window) {
        String after = window.after() == null ? "" : window.after();
        return find("orgId = ?1 and id in ?2 and id > ?3 order by id", scope.orgId(), only, after)
                .page(0, window.size() + 1)
                .list();
    }
}
