package io.penstock.controlplane.account;

import io.penstock.controlplane.tenancy.Scope;
import io.penstock.controlplane.tenancy.TenantRepository;
import io.penstock.controlplane.web.ErrorCode;
import io.penstock.controlplane.web.JsonSettings;
import io.penstock.controlplane.web.ProblemException;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Accounts of one organisation. */
@ApplicationScoped
public class AccountRepository extends TenantRepository<AccountEntity> {
    /** The account, 410 when it is deleted and can be restored, else 404. */
    @Override
    public AccountEntity get(Scope scope, String id) {
        AccountEntity row = any(scope, id);
        if (row.deletedAt != null) {
            throw ProblemException.of(
                            ErrorCode.DELETED_RECOVERABLE,
                            "The account is deleted. POST /v1/accounts/" + id + "/actions/restore brings it back.")
                    .param("deleted_at", JsonSettings.format(row.deletedAt))
                    .param("purge_at", JsonSettings.format(row.purgeAt));
        }
        return row;
    }

    /** The account, deleted or not, else 404. */
    public AccountEntity any(Scope scope, String id) {
        return super.get(scope, id);
    }

    /** How many accounts each project has; projects without are left out. */
    public Map<String, Long> countByProject(String orgId) {
        List<?> rows = getEntityManager()
                .createQuery(
                        "select projectId, count(*) from AccountEntity where orgId = ?1 and deletedAt is null group by projectId",
                        Object[].class)
                .setParameter(1, orgId)
                .getResultList();
        return rows.stream().map(row -> (Object[]) row).collect(Collectors.toMap(row -> (String) row[0], row ->
                (Long) row[1]));
    }

    public long inProject(String projectId, boolean deleted) {
        return count("projectId = ?1 and deletedAt is " + (deleted ? "not null" : "null"), projectId);
    }
}
