package io.penstock.controlplane.sharing;

import io.penstock.controlplane.account.AccountEntity;
import io.penstock.controlplane.account.AccountRepository;
import io.penstock.controlplane.audit.Audit;
import io.penstock.controlplane.operation.Outcome;
import io.penstock.controlplane.tenancy.Scope;
import io.penstock.controlplane.web.ErrorCode;
import io.penstock.controlplane.web.Etags;
import io.penstock.controlplane.web.Paging;
import io.penstock.controlplane.web.ProblemException;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Clock;
import java.util.Map;

/** Shares as their target sees them: what is offered and nothing else of the exporter. Runs in its caller's transaction. */
@ApplicationScoped
public class Offers {
    @Inject
    AccountRepository accounts;

    @Inject
    ShareRepository shares;

    @Inject
    ImportRepository imports;

    @Inject
    AccountTouch accountTouch;

    @Inject
    Audit audit;

    @Inject
    Clock clock;

    Paging.Page<OfferResource.Offer> list(Scope scope, String accountId, Paging paging, Paging.Window window) {
        AccountEntity account = accounts.get(scope, accountId);
        return paging.page(window, shares.offers(account, window), row -> row.id, row -> view(scope, account, row));
    }

    OfferResource.Offer get(Scope scope, String accountId, String shareId) {
        AccountEntity account = accounts.get(scope, accountId);
        return view(scope, account, shares.offered(account, shareId));
    }

    Outcome<OfferResource.Offer> decide(Scope scope, String accountId, String shareId, boolean accept) {
        AccountEntity account = accounts.get(scope, accountId);
        ShareEntity row = shares.offered(account, shareId);
        OfferResource.Offer before = view(scope, account, row);
        long used = imports.count("shareId", shareId);
        decide(scope, account, row, accept);
        Outcome<OfferResource.Offer> outcome = Outcome.changed(before, view(scope, account, row));
        return accept || used == 0
                ? outcome
                : outcome.affecting(Map.of("imports", used)).warning("Imports through this offer stop at once.");
    }

    /** Nothing happens when it is decided like that already. */
    void decide(Scope scope, AccountEntity account, ShareEntity row, boolean accept) {
        String state = accept ? "accepted" : "declined";
        if (state.equals(row.state)) {
            return;
        }
        if (row.isOver(clock.instant())) {
            throw ProblemException.of(
                    ErrorCode.STATE_CONFLICT, "The offer has expired. Ask the exporter for a new one.");
        }
        row.state = state;
        row.decidedAt = clock.instant();
        row.importerOrgId = accept ? scope.orgId() : null;
        row.importerAccountId = accept ? account.id : null;
        row.updatedAt = row.decidedAt;
        shares.flush();
        if (imports.count("shareId", row.id) > 0) {
            accountTouch.touch(scope.orgId(), account.id);
        }
        audit.success(
                scope,
                "offer." + state,
                "/v1/accounts/" + account.id + "/offers/" + row.id,
                Map.of("name", row.exportName, "exporter", row.exporterPublicKey));
    }

    private OfferResource.Offer view(Scope scope, AccountEntity account, ShareEntity row) {
        return new OfferResource.Offer(
                row.id,
                account.id,
                row.orgId.equals(scope.orgId()) ? row.accountId : null,
                row.exporterPublicKey,
                row.exportName,
                row.subject,
                row.type,
                row.description,
                row.responseType,
                row.accountTokenPosition,
                row.state,
                row.expiresAt,
                imports.count("shareId", row.id),
                row.createdAt,
                row.updatedAt,
                Etags.ofVersion(row.version));
    }
}
