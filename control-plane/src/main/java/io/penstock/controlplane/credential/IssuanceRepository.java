package io.penstock.controlplane.credential;

import io.penstock.controlplane.tenancy.TenantRepository;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;

/** Issuances of one organisation's accounts. */
@ApplicationScoped
public class IssuanceRepository extends TenantRepository<IssuanceEntity> {
    List<IssuanceEntity> ofUsers(List<String> userIds) {
        return userIds.isEmpty() ? List.of() : list("userId in ?1", userIds);
    }

    public List<IssuanceEntity> ofAccount(String accountId) {
        return list("accountId", accountId);
    }
}
