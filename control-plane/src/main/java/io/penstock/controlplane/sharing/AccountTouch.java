package io.penstock.controlplane.sharing;

import io.penstock.controlplane.account.SyncQueue;
import io.penstock.controlplane.tenancy.Tenancy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.Collection;
import org.jboss.logging.Logger;

/**
 * Has the broker told that an account's sharing changed. A statement and no entity, so that the account's own ETag stays: who changes a
 * limit does not lose against who adds an export.
 */
@ApplicationScoped
public class AccountTouch {
    private static final Logger LOG = Logger.getLogger(AccountTouch.class);

    @Inject
    SyncQueue queue;

    @Inject
    Tenancy tenancy;

    /** An account of some organisation that imports what was changed. */
    record Importer(String orgId, String accountId) {}

    /** In the transaction of the change; returns the generation that will have it. */
    long touch(String orgId, String accountId) {
        return queue.touch(orgId, accountId);
    }

    /**
     * After the exporter's change is done, each in its own organisation's transaction. A failure leaves an import in the importer's claims
     * that the exporter's claims no longer allow, which does no harm; the importer's next change clears it.
     */
    void importers(Collection<Importer> importers) {
        for (Importer importer : importers) {
            try {
                tenancy.runAs(importer.orgId(), scope -> touch(importer.orgId(), importer.accountId()));
            } catch (RuntimeException failed) {
                LOG.warnf("account %s keeps imports that stopped: %s", importer.accountId(), failed.toString());
            }
        }
    }
}
