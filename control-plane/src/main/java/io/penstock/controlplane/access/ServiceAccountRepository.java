package io.penstock.controlplane.access;

import io.penstock.controlplane.tenancy.Scope;
import io.penstock.controlplane.tenancy.TenantRepository;
import io.penstock.controlplane.web.Paging;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Set;

/** Service accounts of one organisation. */
@ApplicationScoped
public class ServiceAccountRepository extends TenantRepository<ServiceAccountEntity> {
    /** As the other window, of those confined to these projects. */
    List<ServiceAccountEntity> window(Scope scope, Set<String> projects, Paging.Window window) {
        String after = window.after() == null ? "" : window.after();
        return find("orgId = ?1 and projectId in ?2 and id > ?3 order by id", scope.orgId(), projects, after)
                .page(0, window.size() + 1)
                .list();
    }
}
