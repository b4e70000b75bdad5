package io.penstock.controlplane.sharing;

import io.penstock.controlplane.accountservice.AccountService;
import io.penstock.controlplane.operation.DueHandler;
import io.penstock.controlplane.operation.DueTasks;
import io.penstock.controlplane.tenancy.Tenancy;
import io.penstock.controlplane.web.Ids;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.List;

/** Makes the activations of an export anew after its subject changed, and has the importers use them. */
@ApplicationScoped
public class ShareReissue implements DueHandler {
    static final String KIND = "share.reissue";

    @Inject
    Tenancy tenancy;

    @Inject
    ExportRepository exports;

    @Inject
    ShareRepository shares;

    @Inject
    AccountService accountService;

    @Inject
    AccountTouch accountTouch;

    @Inject
    Ids ids;

    @Override
    public String kind() {
        return KIND;
    }

    private record Stale(ShareEntity share, String subject, long notBefore) {}

    @Override
    public void run(DueTasks.Task task) {
        List<Stale> stale = tenancy.runAs(task.orgId(), scope -> {
            ExportEntity export = exports.findById(task.ref());
            return export == null
                    ? List.<Stale>of()
                    : shares.ofExport(export.id).stream()
                            .filter(share -> !"revoked".equals(share.state) && !share.subject.equals(export.subject))
                            .map(share -> new Stale(
                                    share, export.subject, shares.lastRevoked(export.id, share.targetPublicKey) + 1))
                            .toList();
        });
        for (Stale one : stale) {
            String token = accountService.activate(
                    new AccountService.Reason("system:share-reissue", "share.reissue", ids.next("req")),
                    one.share().accountId,
                    new AccountService.ActivationCommand(
                            one.share().targetPublicKey,
                            one.subject(),
                            one.share().type,
                            one.notBefore(),
                            one.share().expiresAt));
            AccountTouch.Importer importer = tenancy.runAs(task.orgId(), scope -> {
                ShareEntity row = shares.get(scope, one.share().id);
                row.subject = one.subject();
                row.token = token;
                return row.importerAccountId == null
                        ? null
                        : new AccountTouch.Importer(row.importerOrgId, row.importerAccountId);
            });
            if (importer != null) {
                accountTouch.importers(List.of(importer));
            }
        }
    }
}
