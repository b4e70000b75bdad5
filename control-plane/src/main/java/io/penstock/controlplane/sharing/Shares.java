package io.penstock.controlplane.sharing;

import io.penstock.controlplane.account.AccountEntity;
import io.penstock.controlplane.account.AccountRepository;
import io.penstock.controlplane.accountservice.AccountService;
import io.penstock.controlplane.audit.Audit;
import io.penstock.controlplane.operation.Outcome;
import io.penstock.controlplane.tenancy.Locator;
import io.penstock.controlplane.tenancy.Permission;
import io.penstock.controlplane.tenancy.Scope;
import io.penstock.controlplane.web.Durations;
import io.penstock.controlplane.web.ErrorCode;
import io.penstock.controlplane.web.Etags;
import io.penstock.controlplane.web.Ids;
import io.penstock.controlplane.web.ProblemException;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;

/** Shares as their exporter makes and takes them back. Runs in its caller's transaction. */
@ApplicationScoped
public class Shares {
    private static final Duration SHORTEST = Duration.ofMinutes(1);

    @Inject
    AccountRepository accounts;

    @Inject
    ExportRepository exports;

    @Inject
    ShareRepository shares;

    @Inject
    AccountTouch accountTouch;

    @Inject
    Locator locator;

    @Inject
    Audit audit;

    @Inject
    Ids ids;

    @Inject
    Clock clock;

    /** A share that is decided on but not signed: what account-service is asked for, and the row to be. */
    record Plan(String exporterAccountId, AccountService.ActivationCommand activation, ShareEntity row) {}

    Plan plan(Scope scope, String exportId, ShareResource.ShareCreate form) {
        ExportEntity export = exports.get(scope, exportId);
        AccountEntity exporter = accounts.get(scope, export.accountId);
        boolean both = (form.targetAccountId() == null) == (form.targetPublicKey() == null);
        if (both) {
            throw invalid(
                    "target_account_id", "exclusive", "give exactly one of target_account_id and target_public_key");
        }
        AccountEntity target = target(scope, form);
        String key = target == null ? form.targetPublicKey() : known(target);
        if (key.equals(exporter.publicKey)) {
            throw invalid("target_account_id", "other", "an account cannot share with itself");
        }
        boolean accepted = accepted(scope, form, target);
        ShareEntity row = new ShareEntity();
        row.id = ids.next("shr");
        row.orgId = scope.orgId();
        row.accountId = exporter.id;
        row.exportId = exportId;
        row.targetPublicKey = key;
        row.targetAccountId = target == null ? null : target.id;
        row.state = accepted ? "accepted" : "offered";
        row.decidedAt = accepted ? clock.instant() : null;
        row.importerOrgId = accepted ? scope.orgId() : null;
        row.importerAccountId = accepted ? target.id : null;
        row.expiresAt = expiry(form.expiresIn());
        row.exporterPublicKey = known(exporter);
        row.subject = export.subject;
        row.type = export.type;
        Exports.describe(row, export);
        row.createdAt = clock.instant();
        row.updatedAt = row.createdAt;
        AccountService.ActivationCommand activation = new AccountService.ActivationCommand(
                key, export.subject, export.type, shares.lastRevoked(exportId, key) + 1, row.expiresAt);
        return new Plan(exporter.id, activation, row);
    }

    /** An account of the same organisation, also when it was named by its key; else null. */
    private AccountEntity target(Scope scope, ShareResource.ShareCreate form) {
        AccountEntity target = form.targetAccountId() == null
                ? accounts.find("publicKey", form.targetPublicKey()).firstResult()
                : accounts.findById(form.targetAccountId());
        if (form.targetAccountId() != null
                && (target == null || target.deletedAt != null || !target.orgId.equals(scope.orgId()))) {
            throw invalid("target_account_id", "exists", "the organisation has no such account");
        }
        return target;
    }

    private static boolean accepted(Scope scope, ShareResource.ShareCreate form, AccountEntity target) {
        if (target == null) {
            if (Boolean.TRUE.equals(form.autoAccept())) {
                throw invalid("auto_accept", "own", "only accounts of the own organisation can be accepted for");
            }
            return false;
        }
        boolean mayDecide = scope.rights().allows(Permission.SHARING_WRITE, target.projectId);
        if (Boolean.TRUE.equals(form.autoAccept()) && !mayDecide) {
            scope.require(Permission.SHARING_WRITE, target.projectId);
        }
        return mayDecide && (form.autoAccept() == null || form.autoAccept());
    }

    Outcome<ShareResource.Share> write(Scope scope, Plan plan, String token) {
        ShareEntity row = plan.row();
        row.token = token;
        locator.add(row.id, scope.orgId(), row.accountId);
        shares.persistAndFlush(row);
        audit.success(
                scope,
                "share.created",
                "/v1/shares/" + row.id,
                Map.of("export_id", row.exportId, "target", row.targetPublicKey, "state", row.state));
        return Outcome.created(view(row));
    }

    ShareEntity get(Scope scope, String id) {
        ShareEntity row = shares.get(scope, id);
        if ("revoked".equals(row.state)) {
            throw ProblemException.notFound();
        }
        return row;
    }

    Outcome<ShareResource.Share> revoke(Scope scope, String id, String ifMatch, List<AccountTouch.Importer> importers) {
        ShareEntity row = get(scope, id);
        Etags.require(ifMatch, Etags.ofVersion(row.version));
        ShareResource.Share before = view(row);
        boolean wasAccepted = row.importerAccountId != null;
        if (wasAccepted) {
            importers.add(new AccountTouch.Importer(row.importerOrgId, row.importerAccountId));
        }
        row.state = "revoked";
        row.revokedSecond = clock.instant().getEpochSecond();
        row.updatedAt = clock.instant();
        accountTouch.touch(scope.orgId(), row.accountId);
        shares.flush();
        audit.success(
                scope,
                "share.revoked",
                "/v1/shares/" + id,
                Map.of("export_id", row.exportId, "target", row.targetPublicKey));
        Outcome<ShareResource.Share> outcome = Outcome.deleted(before);
        return wasAccepted
                ? outcome.affecting(Map.of("shares", 1L)).warning("Imports through this share stop at once.")
                : outcome;
    }

    private static String known(AccountEntity account) {
        if (account.publicKey == null) {
            throw ProblemException.of(
                            ErrorCode.UNAVAILABLE,
                            "Account " + account.name + " has no key yet. Try again in a moment.")
                    .header("Retry-After", "2");
        }
        return account.publicKey;
    }

    private Instant expiry(String text) {
        if (text == null) {
            return null;
        }
        try {
            Duration life = Durations.parse(text);
            if (life.compareTo(SHORTEST) >= 0) {
                return clock.instant().plus(life).truncatedTo(ChronoUnit.SECONDS);
            }
        } catch (IllegalArgumentException malformed) {
            throw invalid("expires_in", "duration", malformed.getMessage());
        }
        throw invalid("expires_in", "range", "1m at least");
    }

    private static ProblemException invalid(String field, String rule, String reason) {
        return ProblemException.invalidField(ErrorCode.VALIDATION_FAILED, field, rule, reason);
    }

    static ShareResource.Share view(ShareEntity row) {
        return new ShareResource.Share(
                row.id,
                row.exportId,
                row.accountId,
                row.targetAccountId,
                row.targetPublicKey,
                row.state,
                row.expiresAt,
                row.decidedAt,
                row.createdAt,
                row.updatedAt,
                Etags.ofVersion(row.version));
    }
}
