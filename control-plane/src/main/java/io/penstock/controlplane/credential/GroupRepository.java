package io.penstock.controlplane.credential;

import io.penstock.controlplane.tenancy.Scope;
import io.penstock.controlplane.tenancy.TenantRepository;
import io.penstock.controlplane.web.ErrorCode;
import io.penstock.controlplane.web.ProblemException;
import jakarta.enterprise.context.ApplicationScoped;

/** Signing-key groups of one organisation. */
@ApplicationScoped
public class GroupRepository extends TenantRepository<GroupEntity> {

    /** The group `id` of the account, or the one called `default` when `id` is null. */
    GroupEntity ofAccount(Scope scope, String accountId, String id) {
        GroupEntity group = id == null
                ? find("orgId = ?1 and accountId = ?2 and name = 'default'", scope.orgId(), accountId)
                        .firstResult()
                : findById(id);
        if (group == null || !group.accountId.equals(accountId)) {
            throw ProblemException.invalidField(
                    ErrorCode.VALIDATION_FAILED,
                    "signing_key_group_id",
                    "exists",
                    "the account has no such signing-key group");
        }
        return group;
    }
}
