package io.penstock.controlplane.sharing;

import io.penstock.controlplane.tenancy.TenantRepository;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;

/** Exports of one organisation's accounts. */
@ApplicationScoped
public class ExportRepository extends TenantRepository<ExportEntity> {
    List<ExportEntity> ofAccount(String accountId) {
        return list("accountId = ?1 order by id", accountId);
    }
}
