package io.penstock.controlplane.credential;

import io.penstock.controlplane.account.Reconciler;
import io.penstock.controlplane.accountservice.AccountService;
import io.penstock.controlplane.accountservice.AccountService.Issued;
import io.penstock.controlplane.audit.Audit;
import io.penstock.controlplane.tenancy.Permission;
import io.penstock.controlplane.tenancy.Principal;
import io.penstock.controlplane.tenancy.Scope;
import io.penstock.controlplane.tenancy.Tenancy;
import io.penstock.controlplane.web.Durations;
import io.penstock.controlplane.web.ErrorCode;
import io.penstock.controlplane.web.Ids;
import io.penstock.controlplane.web.ProblemException;
import io.penstock.controlplane.web.RequestInfo;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Issues and revokes. The ledger row is there before account-service is asked and is settled after it answered; no transaction is
 * open in between. A seed passes through memory once and is stored nowhere.
 */
@ApplicationScoped
public class Issuing {
    /** Life of a JWT without `ttl`. */
    static final Duration DEFAULT_TTL = Duration.ofDays(90);

    static final Duration SHORTEST = Duration.ofMinutes(1);
    static final Duration LONGEST = Duration.ofDays(365);

    @Inject
    Tenancy tenancy;

    @Inject
    UserRepository users;

    @Inject
    GroupRepository groups;

    @Inject
    IssuanceRepository issuances;

    @Inject
    CredentialViews views;

    @Inject
    AccountService accountService;

    @Inject
    Reconciler reconciler;

    @Inject
    Audit audit;

    @Inject
    RequestInfo request;

    @Inject
    Ids ids;

    @Inject
    Clock clock;

    /** What came out; `jwt` and `creds` go to the caller and nowhere else. */
    public record Result(CredentialViews.User user, CredentialViews.Issuance issuance, String jwt, String creds) {
        @Override
        public String toString() {
            return "Result[" + issuance.id() + "]";
        }
    }

    private record Plan(String orgId, UserEntity user, GroupEntity group, String issuanceId) {}

    static Duration ttl(String text) {
        if (text == null) {
            return DEFAULT_TTL;
        }
        try {
            Duration ttl = Durations.parse(text);
            if (ttl.compareTo(SHORTEST) >= 0 && ttl.compareTo(LONGEST) <= 0) {
                return ttl;
            }
        } catch (IllegalArgumentException malformed) {
            throw ProblemException.invalidField(ErrorCode.VALIDATION_FAILED, "ttl", "duration", malformed.getMessage());
        }
        throw ProblemException.invalidField(ErrorCode.VALIDATION_FAILED, "ttl", "range", "from 1m to 8760h");
    }

    /** Makes the row of a new user, in the caller's transaction. */
    UserEntity addUser(Scope scope, String accountId, String name, String groupId) {
        GroupEntity group = groups.ofAccount(scope, accountId, groupId);
        UserEntity user = new UserEntity();
        user.id = ids.next("usr");
        user.orgId = scope.orgId();
        user.accountId = accountId;
        user.groupId = group.id;
        user.name = name;
        user.state = "active";
        user.createdAt = clock.instant();
        user.updatedAt = clock.instant();
        users.persistAndFlush(user);
        audit.success(scope, "user.created", "/v1/users/" + user.id, Map.of("name", name, "group", group.name));
        return user;
    }

    Result issue(String userId, String publicKey, Duration ttl) {
        Principal who = request.principal();
        Plan plan = tenancy.onResource(who, userId, scope -> {
            scope.require(Permission.CREDENTIALS_WRITE);
            return plan(scope, users.get(scope, userId));
        });
        return issue(who, plan, publicKey, ttl);
    }

    private Plan plan(Scope scope, UserEntity user) {
        IssuanceEntity row = new IssuanceEntity();
        row.id = ids.next("iss");
        row.orgId = scope.orgId();
        row.accountId = user.accountId;
        row.userId = user.id;
        row.userName = user.name;
        row.groupId = user.groupId;
        row.state = "pending";
        row.channel = scope.principal().token() == null ? "console" : "api";
        row.issuedBy = scope.principal().label();
        row.issuedAt = clock.instant();
        issuances.persistAndFlush(row);
        return new Plan(scope.orgId(), user, groups.get(scope, user.groupId), row.id);
    }

    private Result issue(Principal who, Plan plan, String publicKey, Duration ttl) {
        try {
            if (plan.group().publicKey == null) {
                reconciler.now(plan.orgId(), plan.user().accountId);
            }
            Issued issued = accountService.issue(
                    new AccountService.Reason(who.userId(), "credential.issue", request.requestId()),
                    plan.user().accountId,
                    plan.group().id,
                    new AccountService.IssueCommand(
                            plan.user().id,
                            plan.issuanceId(),
                            plan.user().name,
                            publicKey,
                            ttl.toSeconds(),
                            who.token() == null ? "console" : "api",
                            who.userId()));
            return settle(who, plan, issued);
        } catch (RuntimeException failed) {
            tenancy.onResource(who, plan.user().accountId, scope -> {
                issuances.get(scope, plan.issuanceId()).state = "failed";
                String code = failed instanceof ProblemException problem
                        ? problem.code().code()
                        : "unavailable";
                audit.failure(scope, "credential.issued", "/v1/users/" + plan.user().id, Map.of("code", code));
                return null;
            });
            throw failed;
        }
    }

    private Result settle(Principal who, Plan plan, Issued issued) {
        return tenancy.onResource(who, plan.user().accountId, scope -> {
            IssuanceEntity row = issuances.get(scope, plan.issuanceId());
            row.state = "issued";
            row.userPublicKey = issued.userPublicKey();
            row.jti = issued.jti();
            row.issuedAt = issued.issuedAt() == null ? clock.instant() : issued.issuedAt();
            row.expiresAt = issued.expiresAt();
            UserEntity user = users.get(scope, plan.user().id);
            user.state = "active";
            user.updatedAt = clock.instant();
            users.flush();
            audit.success(
                    scope,
                    "credential.issued",
                    "/v1/users/" + user.id,
                    Map.of(
                            "issuance_id",
                            row.id,
                            "user",
                            user.name,
                            "user_public_key",
                            issued.userPublicKey(),
                            "seed_made_here",
                            issued.creds() != null));
            return new Result(views.user(user), views.issuance(row), issued.jwt(), issued.creds());
        });
    }

    /** Takes back everything that is still good. Each key is revoked at account-service before it is noted here. */
    CredentialViews.User revoke(String userId, String reason) {
        Principal who = request.principal();
        UserEntity user = tenancy.onResource(who, userId, scope -> {
            scope.require(Permission.CREDENTIALS_WRITE);
            return users.get(scope, userId);
        });
        List<IssuanceEntity> open =
                tenancy.onResource(who, userId, scope -> issuances.list("userId = ?1 and state = 'issued'", userId));
        open.stream()
                .map(issuance -> issuance.userPublicKey)
                .filter(Objects::nonNull)
                .distinct()
                .forEach(key -> accountService.revoke(
                        new AccountService.Reason(who.userId(), "credential.revoke", request.requestId()),
                        user.accountId,
                        key,
                        reason));
        return tenancy.onResource(who, userId, scope -> {
            for (IssuanceEntity issuance : open) {
                IssuanceEntity row = issuances.get(scope, issuance.id);
                row.state = "revoked";
                row.revokedAt = clock.instant();
            }
            UserEntity row = users.get(scope, userId);
            row.state = "revoked";
            row.updatedAt = clock.instant();
            users.flush();
            audit.success(
                    scope,
                    "credential.revoked",
                    "/v1/users/" + userId,
                    Map.of("user", row.name, "issuances", open.size(), "reason", reason == null ? "" : reason));
            return views.user(row);
        });
    }
}
