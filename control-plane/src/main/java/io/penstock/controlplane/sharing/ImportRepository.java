package io.penstock.controlplane.sharing;

import io.penstock.controlplane.tenancy.TenantRepository;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;

/** Imports of one organisation's accounts. */
@ApplicationScoped
public class ImportRepository extends TenantRepository<ImportEntity> {
    List<ImportEntity> ofAccount(String accountId) {
        return list("accountId = ?1 order by id", accountId);
    }
}
