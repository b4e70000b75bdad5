package io.penstock.controlplane.sharing;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.controlplane.account.AccountEntity;
import io.penstock.controlplane.account.AccountRepository;
import io.penstock.controlplane.account.AccountViews;
import io.penstock.controlplane.audit.Audit;
import io.penstock.controlplane.operation.Outcome;
import io.penstock.controlplane.tenancy.Locator;
import io.penstock.controlplane.tenancy.Scope;
import io.penstock.controlplane.web.ErrorCode;
import io.penstock.controlplane.web.Etags;
import io.penstock.controlplane.web.Ids;
import io.penstock.controlplane.web.ProblemException;
import io.penstock.controlplane.web.SubjectPatterns;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** What accounts take from others. Runs in its caller's transaction. */
@ApplicationScoped
public class Imports {
    private static final int DEEPEST = 16;

    @Inject
    AccountRepository accounts;

    @Inject
    AccountViews accountViews;

    @Inject
    ExportRepository exports;

    @Inject
    ShareRepository shares;

    @Inject
    ImportRepository imports;

    @Inject
    Offers offers;

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

    Outcome<ImportResource.Import> create(Scope scope, String accountId, ImportResource.ImportCreate form) {
        AccountEntity account = accounts.get(scope, accountId);
        List<ImportEntity> others = imports.ofAccount(accountId);
        Exports.refuseOverLimit("imports", accountViews.limits(account).imports(), others.size());
        ImportEntity row = new ImportEntity();
        row.id = ids.next("imp");
        row.orgId = scope.orgId();
        row.accountId = accountId;
        row.name = form.name();
        row.type = form.type();
        row.subject = form.subject();
        row.localSubject = form.localSubject();
        row.shareConnectionInfo = form.shareConnectionInfo() != null && form.shareConnectionInfo();
        row.allowTrace = form.allowTrace() != null && form.allowTrace();
        row.createdAt = clock.instant();
        row.updatedAt = row.createdAt;
        // The account before the log: what takes both locks in one order cannot wait in a circle.
        row.generation = accountTouch.touch(scope.orgId(), accountId);
        findSource(scope, account, row, form);
        SharingRules.check(row, others);
        refuseCircle(row);
        locator.add(row.id, scope.orgId(), accountId);
        imports.persistAndFlush(row);
        audit.success(
                scope,
                "import.created",
                "/v1/imports/" + row.id,
                Map.of("name", row.name, "subject", row.subject, "type", row.type, "remote", row.remotePublicKey));
        return Outcome.created(view(scope, row));
    }

    private void findSource(Scope scope, AccountEntity account, ImportEntity row, ImportResource.ImportCreate form) {
        long given = Stream.of(form.shareId(), form.remoteAccountId(), form.remotePublicKey())
                .filter(Objects::nonNull)
                .count();
        if (given != 1) {
            throw invalid(
                    "share_id", "exclusive", "give exactly one of share_id, remote_account_id and remote_public_key");
        }
        if (form.shareId() != null) {
            byShare(scope, account, row, form);
            return;
        }
        if (row.subject == null) {
            throw invalid("subject", "notnull", "a subject is needed");
        }
        if (form.remoteAccountId() != null) {
            AccountEntity remote = accounts.findById(form.remoteAccountId());
            if (remote == null || remote.deletedAt != null || remote.publicKey == null) {
                throw invalid("remote_account_id", "exists", "the organisation has no such account");
            }
            row.remoteAccountId = remote.id;
            row.remotePublicKey = remote.publicKey;
        } else {
            row.remotePublicKey = form.remotePublicKey();
            AccountEntity own =
                    accounts.find("publicKey", form.remotePublicKey()).firstResult();
            row.remoteAccountId = own == null ? null : own.id;
        }
        refuseSelf(account, row);
        if (form.activationToken() != null) {
            row.expiresAt = Activations.check(form.activationToken(), row, account.publicKey, clock.instant());
            row.ownToken = form.activationToken().trim();
            return;
        }
        bySubject(scope, account, row);
    }

    private void byShare(Scope scope, AccountEntity account, ImportEntity row, ImportResource.ImportCreate form) {
        ShareEntity share;
        try {
            share = shares.offered(account, form.shareId());
        } catch (ProblemException absent) {
            throw invalid("share_id", "exists", "nothing of this id is offered to the account");
        }
        if (form.activationToken() != null) {
            throw invalid("activation_token", "exclusive", "the share brings its own");
        }
        if (!share.type.equals(row.type)) {
            throw invalid("type", "value", "the share is for a " + share.type);
        }
        row.subject = row.subject == null ? share.subject : row.subject;
        row.remotePublicKey = share.exporterPublicKey;
        row.remoteAccountId = share.orgId.equals(scope.orgId()) ? share.accountId : null;
        use(scope, account, row, share);
    }

    /** A share that covers the subject; without one the export must be open, as far as it can be seen. */
    private void bySubject(Scope scope, AccountEntity account, ImportEntity row) {
        for (ShareEntity share : shares.offersFrom(account, row.remotePublicKey, row.type)) {
            if (SubjectPatterns.isWithin(row.subject, share.subject)) {
                use(scope, account, row, share);
                return;
            }
        }
        if (row.remoteAccountId == null) {
            return;
        }
        ExportEntity export = covering(row);
        if (export == null) {
            throw invalid("subject", "exists", "that account has no export of this type and subject");
        }
        if (export.tokenRequired) {
            throw invalid(
                    "share_id",
                    "required",
                    "the export " + export.name + " needs a share for this account, or an activation_token");
        }
    }

    private void use(Scope scope, AccountEntity account, ImportEntity row, ShareEntity share) {
        if (!SubjectPatterns.isPattern(row.subject) || !SubjectPatterns.isWithin(row.subject, share.subject)) {
            throw invalid("subject", "within", "the share allows " + share.subject + " only");
        }
        if (share.isOver(clock.instant()) || "declined".equals(share.state)) {
            throw ProblemException.of(
                    ErrorCode.STATE_CONFLICT,
                    "The offer was declined or has expired. Accept it, or ask for a new one.");
        }
        offers.decide(scope, account, share, true);
        row.shareId = share.id;
    }

    private ExportEntity covering(ImportEntity row) {
        return exports.ofAccount(row.remoteAccountId).stream()
                .filter(export -> export.type.equals(row.type))
                .filter(export ->
                        SubjectPatterns.isPattern(row.subject) && SubjectPatterns.isWithin(row.subject, export.subject))
                .findFirst()
                .orElse(null);
    }

    private static void refuseSelf(AccountEntity account, ImportEntity row) {
        if (row.remotePublicKey.equals(account.publicKey)) {
            throw ProblemException.invalidField(
                    ErrorCode.CYCLIC_IMPORT, "remote_account_id", "circle", "an account cannot import from itself");
        }
    }

    /** Follows imports as far as they are the organisation's own; the broker guards the rest. */
    private void refuseCircle(ImportEntity row) {
        if (row.remoteAccountId != null && leadsTo(row, row.remoteAccountId, row.subject, 0)) {
            throw ProblemException.invalidField(
                    ErrorCode.CYCLIC_IMPORT,
                    "subject",
                    "circle",
                    "that account imports these subjects from here, directly or through others");
        }
    }

    private boolean leadsTo(ImportEntity row, String from, String subject, int depth) {
        if (depth == DEEPEST) {
            return true;
        }
        for (ImportEntity other : imports.ofAccount(from)) {
            if (other.id.equals(row.id)
                    || !other.type.equals(row.type)
                    || !SubjectPatterns.overlap(plain(other.local()), subject)) {
                continue;
            }
            boolean here = row.accountId.equals(other.remoteAccountId)
                    && SubjectPatterns.overlap(other.subject, plain(row.local()));
            if (here
                    || (other.remoteAccountId != null
                            && leadsTo(row, other.remoteAccountId, other.subject, depth + 1))) {
                return true;
            }
        }
        return false;
    }

    /** With `*` for `$1` and the like. */
    private static String plain(String local) {
        return local.replaceAll("\\$\\d+", "*");
    }

    Outcome<ImportResource.Import> update(
            Scope scope, String id, String ifMatch, ObjectNode raw, ImportResource.ImportPatch patch) {
        ImportEntity row = imports.get(scope, id);
        Etags.require(ifMatch, Etags.ofVersion(row.version));
        AccountEntity account = accounts.get(scope, row.accountId);
        ImportResource.Import before = view(scope, row);
        row.generation = accountTouch.touch(scope.orgId(), row.accountId);
        String subject = row.subject;
        row.name = patch.name() == null ? row.name : patch.name();
        row.subject = patch.subject() == null ? row.subject : patch.subject();
        row.localSubject = raw.has("local_subject") ? patch.localSubject() : row.localSubject;
        row.shareConnectionInfo =
                patch.shareConnectionInfo() == null ? row.shareConnectionInfo : patch.shareConnectionInfo();
        row.allowTrace = patch.allowTrace() == null ? row.allowTrace : patch.allowTrace();
        if (patch.activationToken() != null) {
            row.expiresAt = Activations.check(patch.activationToken(), row, account.publicKey, clock.instant());
            row.ownToken = patch.activationToken().trim();
            row.shareId = null;
        } else if (!subject.equals(row.subject)) {
            recheck(scope, account, row);
        }
        SharingRules.check(row, imports.ofAccount(row.accountId));
        refuseCircle(row);
        row.updatedAt = clock.instant();
        imports.flush();
        audit.success(scope, "import.updated", "/v1/imports/" + id, Map.of("name", row.name, "subject", row.subject));
        return Outcome.changed(before, view(scope, row));
    }

    private void recheck(Scope scope, AccountEntity account, ImportEntity row) {
        if (row.ownToken != null) {
            row.expiresAt = Activations.check(row.ownToken, row, account.publicKey, clock.instant());
        } else {
            row.shareId = null;
            bySubject(scope, account, row);
        }
    }

    Outcome<ImportResource.Import> delete(Scope scope, String id, String ifMatch) {
        ImportEntity row = imports.get(scope, id);
        Etags.require(ifMatch, Etags.ofVersion(row.version));
        ImportResource.Import before = view(scope, row);
        imports.delete(row);
        locator.remove(id);
        accountTouch.touch(scope.orgId(), row.accountId);
        imports.flush();
        audit.success(scope, "import.deleted", "/v1/imports/" + id, Map.of("name", row.name));
        return Outcome.deleted(before);
    }

    ImportResource.Import view(Scope scope, ImportEntity row) {
        return views(scope, List.of(row)).getFirst();
    }

    List<ImportResource.Import> views(Scope scope, List<ImportEntity> rows) {
        Map<String, ShareEntity> used = shares.byId(
                rows.stream().map(row -> row.shareId).filter(Objects::nonNull).toList());
        Map<String, List<ExportEntity>> offered = new HashMap<>();
        return rows.stream()
                .map(row -> view(row, row.shareId == null ? null : used.get(row.shareId), offered))
                .toList();
    }

    private ImportResource.Import view(ImportEntity row, ShareEntity share, Map<String, List<ExportEntity>> offered) {
        String state = "active";
        Instant now = clock.instant();
        Instant end = share == null ? row.expiresAt : share.expiresAt;
        if (row.shareId != null) {
            state = share == null
                    ? "broken"
                    : share.isOver(now) ? "revoked" : "accepted".equals(share.state) ? "active" : "pending";
        } else if (end != null && !end.isAfter(now)) {
            state = "revoked";
        } else if (row.remoteAccountId != null) {
            List<ExportEntity> known = offered.computeIfAbsent(row.remoteAccountId, exports::ofAccount);
            boolean there = known.stream()
                    .anyMatch(export -> export.type.equals(row.type)
                            && SubjectPatterns.isWithin(row.subject, export.subject)
                            && (row.ownToken != null || !export.tokenRequired));
            state = there ? "active" : "broken";
        }
        return new ImportResource.Import(
                row.id,
                row.accountId,
                row.name,
                row.subject,
                row.type,
                row.localSubject,
                row.shareConnectionInfo,
                row.allowTrace,
                row.remoteAccountId,
                row.remotePublicKey,
                row.shareId,
                row.shareId != null ? "share" : row.ownToken != null ? "own_token" : "none",
                state,
                end,
                AccountViews.sync(accounts.findById(row.accountId), row.generation),
                row.createdAt,
                row.updatedAt,
                Etags.ofVersion(row.version));
    }

    private static ProblemException invalid(String field, String rule, String reason) {
        return ProblemException.invalidField(ErrorCode.VALIDATION_FAILED, field, rule, reason);
    }
}
