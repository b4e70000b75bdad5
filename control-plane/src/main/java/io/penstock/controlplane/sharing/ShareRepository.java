package io.penstock.controlplane.sharing;

import io.penstock.controlplane.account.AccountEntity;
import io.penstock.controlplane.tenancy.TenantRepository;
import io.penstock.controlplane.web.Paging;
import io.penstock.controlplane.web.ProblemException;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Shares: those of the own exports, and through {@link #offered} those made to own accounts. */
@ApplicationScoped
public class ShareRepository extends TenantRepository<ShareEntity> {
    List<ShareEntity> ofExport(String exportId) {
        return list("exportId = ?1 order by id", exportId);
    }

    /** A share made to this own account that was not taken back, or 404. */
    ShareEntity offered(AccountEntity account, String id) {
        return find(
                        "id = ?1 and targetPublicKey = ?2 and state <> 'revoked'",
                        id,
                        account.publicKey == null ? "" : account.publicKey)
                .firstResultOptional()
                .orElseThrow(ProblemException::notFound);
    }

    List<ShareEntity> offers(AccountEntity account, Paging.Window window) {
        return find(
                        "targetPublicKey = ?1 and state <> 'revoked' and id > ?2 order by id",
                        account.publicKey == null ? "" : account.publicKey,
                        window.after() == null ? "" : window.after())
                .page(0, window.size() + 1)
                .list();
    }

    /** What this exporter offered to the account, of one type. */
    List<ShareEntity> offersFrom(AccountEntity account, String exporterPublicKey, String type) {
        return list(
                "targetPublicKey = ?1 and exporterPublicKey = ?2 and type = ?3 and state in ('offered', 'accepted') order by id",
                account.publicKey == null ? "" : account.publicKey,
                exporterPublicKey,
                type);
    }

    Map<String, ShareEntity> byId(Collection<String> ids) {
        return ids.isEmpty()
                ? Map.of()
                : list("id in ?1", ids).stream().collect(Collectors.toMap(row -> row.id, Function.identity()));
    }

    Map<String, Long> countByExport(Collection<String> exportIds) {
        if (exportIds.isEmpty()) {
            return Map.of();
        }
        return getEntityManager()
                .createQuery(
                        "select exportId, count(*) from ShareEntity where exportId in ?1 and state <> 'revoked' group by exportId",
                        Object[].class)
                .setParameter(1, exportIds)
                .getResultList()
                .stream()
                .collect(Collectors.toMap(row -> (String) row[0], row -> (Long) row[1]));
    }

    /** The last second at which this export was taken back from the target, 0 for never. */
    long lastRevoked(String exportId, String targetPublicKey) {
        return Optional.ofNullable(getEntityManager()
                        .createQuery(
                                "select max(revokedSecond) from ShareEntity where exportId = ?1 and targetPublicKey = ?2",
                                Long.class)
                        .setParameter(1, exportId)
                        .setParameter(2, targetPublicKey)
                        .getSingleResult())
                .orElse(0L);
    }
}
