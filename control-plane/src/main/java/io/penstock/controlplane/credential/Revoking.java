package io.penstock.controlplane.credential;

import io.penstock.controlplane.accountservice.AccountService;
import io.penstock.controlplane.audit.Audit;
import io.penstock.controlplane.operation.DueHandler;
import io.penstock.controlplane.operation.DueTasks;
import io.penstock.controlplane.tenancy.Scope;
import io.penstock.controlplane.tenancy.Tenancy;
import io.penstock.controlplane.web.Ids;
import io.penstock.controlplane.web.RequestInfo;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Takes issuances back. Each key is revoked at account-service before it is noted here; a repeat does no harm. A revocation counts for a
 * key: where a newer JWT of the same key is to stay, it goes as far as the older one only.
 */
@ApplicationScoped
public class Revoking implements DueHandler {
    static final String KIND = "issuance.revoke";

    @Inject
    Tenancy tenancy;

    @Inject
    IssuanceRepository issuances;

    @Inject
    AccountService accountService;

    @Inject
    RequestInfo request;

    @Inject
    DueTasks due;

    @Inject
    Audit audit;

    @Inject
    Ids ids;

    @Inject
    Clock clock;

    /** Runs work in a transaction of the organisation: a person's, or the background's. */
    private interface InTransaction {
        <T> T run(Function<Scope, T> work);
    }

    /** Revokes these issuances of one account for the caller, those that are good of them. Returns how many. */
    int revoke(String action, String accountId, Collection<String> which, String reason) {
        InTransaction caller = new InTransaction() {
            @Override
            public <T> T run(Function<Scope, T> work) {
                return tenancy.onResource(request.principal(), accountId, work);
            }
        };
        AccountService.Reason why =
                new AccountService.Reason(request.principal().userId(), action, request.requestId());
        return revoke(caller, why, accountId, which, reason);
    }

    private int revoke(
            InTransaction tenant,
            AccountService.Reason why,
            String accountId,
            Collection<String> which,
            String reason) {
        List<IssuanceEntity> going = tenant.run(scope -> issuances.list("id in ?1 and state = 'issued'", which));
        Map<String, Instant> untilByKey = going.stream()
                .filter(row -> row.userPublicKey != null)
                .collect(Collectors.toMap(
                        row -> row.userPublicKey, row -> row.issuedAt, (one, two) -> one.isAfter(two) ? one : two));
        Set<String> leaving = new HashSet<>(which);
        for (Map.Entry<String, Instant> key : untilByKey.entrySet()) {
            Instant until = tenant.run(scope -> until(accountId, key.getKey(), key.getValue(), leaving));
            accountService.revoke(why, accountId, key.getKey(), reason, until);
        }
        return tenant.run(scope -> {
            for (IssuanceEntity one : going) {
                IssuanceEntity row = issuances.get(scope, one.id);
                row.state = "revoked";
                row.revokedAt = clock.instant();
                due.remove(KIND, row.id);
            }
            return going.size();
        });
    }

    /** Null for now; else just before a newer JWT of the key that stays. */
    private Instant until(String accountId, String userPublicKey, Instant last, Set<String> leaving) {
        return issuances.ofKey(accountId, userPublicKey, clock.instant()).stream()
                .filter(row -> !leaving.contains(row.id) && !row.issuedAt.isBefore(last))
                .map(row -> row.issuedAt.minusSeconds(1))
                .min(Comparator.naturalOrder())
                .map(before -> before.isBefore(last) ? before : last)
                .orElse(null);
    }

    /** Has these revoked after the overlap; in its caller's transaction. */
    void schedule(Scope scope, Collection<String> which, Duration overlap) {
        Instant at = clock.instant().plus(overlap);
        for (IssuanceEntity row : issuances.list("id in ?1 and state = 'issued'", which)) {
            if (row.revokeAt == null || row.revokeAt.isAfter(at)) {
                row.revokeAt = at;
                due.add(scope, KIND, row.id, row.accountId, at);
            }
        }
    }

    @Override
    public String kind() {
        return KIND;
    }

    @Override
    public void run(DueTasks.Task task) {
        InTransaction background = new InTransaction() {
            @Override
            public <T> T run(Function<Scope, T> work) {
                return tenancy.runAs(task.orgId(), work);
            }
        };
        int revoked = revoke(
                background,
                new AccountService.Reason("system:rotation", "credential.revoke", ids.next("req")),
                task.accountId(),
                List.of(task.ref()),
                "rotated");
        if (revoked > 0) {
            background.run(scope -> {
                IssuanceEntity row = issuances.get(scope, task.ref());
                audit.success(
                        scope,
                        "credential.revoked",
                        "/v1/users/" + row.userId,
                        Map.of("user", row.userName, "issuances", 1, "reason", "rotated"));
                return null;
            });
        }
    }
}
