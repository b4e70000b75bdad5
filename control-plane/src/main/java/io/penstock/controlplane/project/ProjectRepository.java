package io.penstock.controlplane.project;

import io.penstock.controlplane.tenancy.Locator;
import io.penstock.controlplane.tenancy.Scope;
import io.penstock.controlplane.tenancy.TenantRepository;
import io.penstock.controlplane.web.Paging;
import io.penstock.controlplane.web.ProblemException;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

    /** 404 for a deleted one too: it comes back with an account of it or not at all. */
    @Override
    public ProjectEntity get(Scope scope, String id) {
        ProjectEntity row = super.get(scope, id);
        if (row.deletedAt != null) {
            throw ProblemException.notFound();
        }
        return row;
    }

    /** As the other windows, of `only` these projects where it is given, and of one name where it is given. */
    List<ProjectEntity> window(Scope scope, Optional<Set<String>> only, String name, Paging.Window window) {
        Map<String, Object> parameters = new HashMap<>();
        parameters.put("org", scope.orgId());
        parameters.put("after", window.after() == null ? "" : window.after());
        StringBuilder query = new StringBuilder("orgId = :org and id > :after and deletedAt is null");
        only.ifPresent(visible -> {
            query.append(" and id in :only");
            parameters.put("only", visible);
        });
        if (name != null) {
            query.append(" and name = :name");
            parameters.put("name", name);
        }
        return find(query + " order by id", parameters)
                .page(0, window.size() + 1)
                .list();
    }
}
