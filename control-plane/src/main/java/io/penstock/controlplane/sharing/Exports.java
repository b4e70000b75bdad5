package io.penstock.controlplane.sharing;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.controlplane.account.AccountEntity;
import io.penstock.controlplane.account.AccountRepository;
import io.penstock.controlplane.account.AccountViews;
import io.penstock.controlplane.audit.Audit;
import io.penstock.controlplane.operation.DueTasks;
import io.penstock.controlplane.operation.Outcome;
import io.penstock.controlplane.tenancy.Locator;
import io.penstock.controlplane.tenancy.Scope;
import io.penstock.controlplane.web.ErrorCode;
import io.penstock.controlplane.web.Etags;
import io.penstock.controlplane.web.Ids;
import io.penstock.controlplane.web.ProblemException;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What accounts offer. Runs in its caller's transaction. */
@ApplicationScoped
public class Exports {
    @Inject
    AccountRepository accounts;

    @Inject
    AccountViews accountViews;

    @Inject
    ExportRepository exports;

    @Inject
    ShareRepository shares;

    @Inject
    AccountTouch accountTouch;

    @Inject
    DueTasks due;

    @Inject
    Locator locator;

    @Inject
    Audit audit;

    @Inject
    Ids ids;

    @Inject
    Clock clock;

    Outcome<ExportResource.Export> create(Scope scope, String accountId, ExportResource.ExportCreate form) {
        AccountEntity account = accounts.get(scope, accountId);
        List<ExportEntity> others = exports.ofAccount(accountId);
        refuseOverLimit("exports", accountViews.limits(account).exports(), others.size());
        ExportEntity row = new ExportEntity();
        row.id = ids.next("exp");
        row.orgId = scope.orgId();
        row.accountId = accountId;
        row.name = form.name();
        row.subject = form.subject();
        row.type = form.type();
        row.description = form.description() == null ? "" : form.description();
        row.responseType =
                form.responseType() == null && "service".equals(form.type()) ? "singleton" : form.responseType();
        row.tokenRequired = form.tokenRequired() == null || form.tokenRequired();
        row.accountTokenPosition = form.accountTokenPosition() == null ? 0 : form.accountTokenPosition();
        latency(row, form.serviceLatency());
        row.allowTrace = form.allowTrace() != null && form.allowTrace();
        row.advertise = form.advertise() != null && form.advertise();
        row.createdAt = clock.instant();
        row.updatedAt = row.createdAt;
        SharingRules.check(row, others, accountViews.limits(account).wildcardExports());
        row.generation = accountTouch.touch(scope.orgId(), accountId);
        locator.add(row.id, scope.orgId(), accountId);
        exports.persistAndFlush(row);
        audit.success(
                scope,
                "export.created",
                "/v1/exports/" + row.id,
                Map.of(
                        "name",
                        row.name,
                        "subject",
                        row.subject,
                        "type",
                        row.type,
                        "token_required",
                        row.tokenRequired));
        return Outcome.created(view(row, 0));
    }

    /** `raw` tells null, which resets, from absent, which leaves. */
    Outcome<ExportResource.Export> update(
            Scope scope, String id, String ifMatch, ObjectNode raw, ExportResource.ExportPatch patch) {
        ExportEntity row = exports.get(scope, id);
        Etags.require(ifMatch, Etags.ofVersion(row.version));
        ExportResource.Export before = view(row);
        AccountEntity account = accounts.get(scope, row.accountId);
        row.name = patch.name() == null ? row.name : patch.name();
        row.subject = patch.subject() == null ? row.subject : patch.subject();
        row.description =
                raw.has("description") ? (patch.description() == null ? "" : patch.description()) : row.description;
        if (raw.has("response_type")) {
            row.responseType =
                    patch.responseType() == null && "service".equals(row.type) ? "singleton" : patch.responseType();
        }
        row.tokenRequired = patch.tokenRequired() == null ? row.tokenRequired : patch.tokenRequired();
        row.accountTokenPosition =
                patch.accountTokenPosition() == null ? row.accountTokenPosition : patch.accountTokenPosition();
        if (raw.has("service_latency")) {
            latency(row, patch.serviceLatency());
        }
        row.allowTrace = patch.allowTrace() == null ? row.allowTrace : patch.allowTrace();
        row.advertise = patch.advertise() == null ? row.advertise : patch.advertise();
        SharingRules.check(
                row,
                exports.ofAccount(row.accountId),
                accountViews.limits(account).wildcardExports());
        row.updatedAt = clock.instant();
        row.generation = accountTouch.touch(scope.orgId(), row.accountId);
        exports.flush();
        List<ShareEntity> live = live(id);
        for (ShareEntity share : live) {
            describe(share, row);
        }
        shares.flush();
        if (!live.isEmpty() && !before.subject().equals(row.subject)) {
            // The activations say the old subject. They are made anew by the background, which can try until it works.
            due.add(scope, ShareReissue.KIND, id, row.accountId, clock.instant());
        }
        audit.success(scope, "export.updated", "/v1/exports/" + id, Map.of("name", row.name, "subject", row.subject));
        Outcome<ExportResource.Export> outcome = Outcome.changed(before, view(row));
        return before.subject().equals(row.subject) || live.isEmpty()
                ? outcome
                : outcome.affecting(Map.of("imports", (long) live.size()))
                        .warning("Importers of subjects that are no longer offered get nothing.");
    }

    Outcome<ExportResource.Export> delete(
            Scope scope, String id, String ifMatch, List<AccountTouch.Importer> importers) {
        ExportEntity row = exports.get(scope, id);
        Etags.require(ifMatch, Etags.ofVersion(row.version));
        ExportResource.Export before = view(row);
        List<ShareEntity> all = shares.ofExport(id);
        long live = all.stream().filter(share -> !"revoked".equals(share.state)).count();
        for (ShareEntity share : all) {
            if (share.importerAccountId != null) {
                importers.add(new AccountTouch.Importer(share.importerOrgId, share.importerAccountId));
            }
            locator.remove(share.id);
            shares.delete(share);
        }
        shares.flush();
        exports.delete(row);
        locator.remove(id);
        accountTouch.touch(scope.orgId(), row.accountId);
        exports.flush();
        audit.success(scope, "export.deleted", "/v1/exports/" + id, Map.of("name", row.name, "shares", live));
        Outcome<ExportResource.Export> outcome = Outcome.deleted(before);
        return live == 0
                ? outcome
                : outcome.affecting(Map.of("shares", live, "imports", (long) importers.size()))
                        .warning("All imports of this export stop at once.");
    }

    private List<ShareEntity> live(String exportId) {
        return shares.ofExport(exportId).stream()
                .filter(share -> !"revoked".equals(share.state))
                .toList();
    }

    /** What the target may know. The subject follows with the activation that has it. */
    static void describe(ShareEntity share, ExportEntity row) {
        share.exportName = row.name;
        share.description = row.description;
        share.responseType = row.responseType;
        share.accountTokenPosition = row.accountTokenPosition;
    }

    private static void latency(ExportEntity row, ExportResource.ServiceLatency latency) {
        row.latencySampling = latency == null ? null : latency.sampling();
        row.latencySubject = latency == null ? null : latency.subject();
    }

    static void refuseOverLimit(String what, long limit, int count) {
        if (limit >= 0 && count >= limit) {
            throw ProblemException.of(
                            ErrorCode.BROKER_REJECTED, "The account may have " + limit + " " + what + " and has them.")
                    .param("limit", what)
                    .param("maximum", limit);
        }
    }

    ExportResource.Export view(ExportEntity row) {
        return view(row, shares.countByExport(List.of(row.id)).getOrDefault(row.id, 0L));
    }

    List<ExportResource.Export> views(List<ExportEntity> rows) {
        Map<String, Long> counts =
                shares.countByExport(rows.stream().map(row -> row.id).toList());
        List<ExportResource.Export> out = new ArrayList<>();
        rows.forEach(row -> out.add(view(row, counts.getOrDefault(row.id, 0L))));
        return out;
    }

    private ExportResource.Export view(ExportEntity row, long shareCount) {
        return new ExportResource.Export(
                row.id,
                row.accountId,
                row.name,
                row.subject,
                row.type,
                row.description,
                row.responseType,
                row.tokenRequired,
                row.accountTokenPosition,
                row.latencySubject == null
                        ? null
                        : new ExportResource.ServiceLatency(row.latencySampling, row.latencySubject),
                row.allowTrace,
                row.advertise,
                shareCount,
                AccountViews.sync(accounts.findById(row.accountId), row.generation),
                row.createdAt,
                row.updatedAt,
                Etags.ofVersion(row.version));
    }
}
