package io.penstock.controlplane.credential;

import io.penstock.controlplane.accountservice.AccountService;
import io.penstock.controlplane.accountservice.AccountService.LedgerEntry;
import io.penstock.controlplane.tenancy.Tenancy;
import io.penstock.controlplane.web.Ids;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;

/** Copies from account-service's ledger who connected when. A failure leaves what was known. */
@ApplicationScoped
public class LedgerMirror {
    private static final Logger LOG = Logger.getLogger(LedgerMirror.class);
    /** An account is asked for again after this time at the earliest. */
    private static final long FRESH_MILLIS = 2_000;
    /** Accounts remembered as asked for. */
    private static final int MOST = 10_000;

    private final Map<String, Instant> asked = new ConcurrentHashMap<>();

    @Inject
    AccountService accountService;

    @Inject
    Tenancy tenancy;

    @Inject
    IssuanceRepository issuances;

    @Inject
    Ids ids;

    @Inject
    Clock clock;

    public void refresh(String orgId, String accountId) {
        Instant now = clock.instant();
        Instant before = asked.get(accountId);
        if (before != null && now.isBefore(before.plusMillis(FRESH_MILLIS))) {
            return;
        }
        if (asked.size() > MOST) {
            asked.clear();
        }
        asked.put(accountId, now);
        try {
            List<LedgerEntry> entries = accountService.ledger(
                    new AccountService.Reason("system:ledger-mirror", "ledger.read", ids.next("req")), accountId);
            store(orgId, accountId, entries);
        } catch (RuntimeException unreachable) {
            LOG.warnf("the ledger of %s cannot be read: %s", accountId, unreachable.toString());
        }
    }

    private void store(String orgId, String accountId, List<LedgerEntry> entries) {
        Map<String, LedgerEntry> connected = entries.stream()
                .filter(entry -> entry.issuanceId() != null && entry.firstConnected() != null)
                .collect(Collectors.toMap(LedgerEntry::issuanceId, Function.identity(), (one, two) -> two));
        if (connected.isEmpty()) {
            return;
        }
        tenancy.runAs(orgId, scope -> {
            for (IssuanceEntity row : issuances.ofAccount(accountId)) {
                LedgerEntry entry = connected.get(row.id);
                if (entry != null && !Objects.equals(row.lastConnectedAt, entry.lastConnected())) {
                    row.firstConnectedAt = entry.firstConnected();
                    row.lastConnectedAt =
                            entry.lastConnected() == null ? entry.firstConnected() : entry.lastConnected();
                    row.clientLang = entry.clientLang();
                    row.clientVersion = entry.clientVersion();
                    row.clientIp = entry.clientIp();
                }
            }
            return null;
        });
    }
}
