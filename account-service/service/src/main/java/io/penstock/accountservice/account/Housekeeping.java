package io.penstock.accountservice.account;

import io.penstock.accountservice.store.Accounts;
import io.penstock.accountservice.store.Groups;
import io.quarkus.narayana.jta.QuarkusTransaction;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** What falls due by itself: keys whose time is up, revocations nobody needs any more. */
@ApplicationScoped
public class Housekeeping {
    private static final long PRUNE_INTERVAL_SECONDS = 600;

    private final Accounts accounts;
    private final Groups groups;
    private final GroupService groupService;
    private final RevocationService revocationService;
    private final Clock clock;
    // Owned by the reconciler's thread.
    private Instant nextPruning = Instant.MIN;
    // Owned by the reconciler's thread.
    private boolean managementGroupsChecked;

    Housekeeping(
            Accounts accounts,
            Groups groups,
            GroupService groupService,
            RevocationService revocationService,
            Clock clock) {
        this.accounts = accounts;
        this.groups = groups;
        this.groupService = groupService;
        this.revocationService = revocationService;
        this.clock = clock;
    }

    /** Does what is due and returns the ids of accounts whose claims changed by it. */
    public List<String> run() {
        Instant now = clock.instant();
        List<String> changed = new ArrayList<>();
        List<String> due = QuarkusTransaction.requiringNew().call(() -> groups.accountsWithKeysToRetire(now));
        for (String accountId : due) {
            if (groupService.removeRetired(accountId)) {
                changed.add(accountId);
            }
        }
        if (!managementGroupsChecked) {
            managementGroupsChecked = true;
            for (String accountId : QuarkusTransaction.requiringNew().call(accounts::liveIds)) {
                if (groupService.refreshManagementGroup(accountId)) {
                    changed.add(accountId);
                }
            }
        }
        if (!now.isBefore(nextPruning)) {
            nextPruning = now.plusSeconds(PRUNE_INTERVAL_SECONDS);
            List<String> all = QuarkusTransaction.requiringNew().call(accounts::liveIds);
            for (String accountId : all) {
                if (revocationService.prune(accountId)) {
                    changed.add(accountId);
                }
            }
        }
        return changed;
    }
}
