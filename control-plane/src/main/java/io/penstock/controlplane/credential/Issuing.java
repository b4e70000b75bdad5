package io.penstock.controlplane.credential;

import io.penstock.controlplane.account.Reconciler;
import io.penstock.controlplane.accountservice.AccountService;
import io.penstock.controlplane.accountservice.AccountService.Issued;
import io.penstock.controlplane.audit.Audit;
import io.penstock.controlplane.tenancy.Locator;
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
import java.util.Optional;

/**
 * Issues. The ledger row is there before account-service is asked and is settled after it answered; no transaction is open in between. A
 * seed passes through memory once and is stored nowhere.
 */
@ApplicationScoped
public class Issuing {
    /** Life of a JWT where neither the call nor the user says. */
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
    Locator locator;

    @Inject
    Audit audit;

    @Inject
    RequestInfo request;

    @Inject
    Ids ids;

    @Inject
    Clock clock;

    /** What came out; `jwt` and `creds` go to the caller and nowhere else. Both are null when they were delivered before. */
    public record Result(CredentialViews.User user, CredentialViews.Issuance issuance, String jwt, String creds) {
        @Override
        public String toString() {
            return "Result[" + issuance.id() + "]";
        }
    }

    /** What to issue; all may be null. */
    record Wish(String publicKey, Duration ttl, String issueKey) {}

    private record Plan(String orgId, UserEntity user, GroupEntity group, String issuanceId, Result delivered) {}

    /** Null for the default of the user. */
    static Duration ttl(String text) {
        return text == null ? null : span("ttl", text, SHORTEST, LONGEST, "from 1m to 8760h");
    }

    static Duration span(String field, String text, Duration from, Duration to, String rule) {
        try {
            Duration span = Durations.parse(text);
            if (span.compareTo(from) >= 0 && span.compareTo(to) <= 0) {
                return span;
            }
        } catch (IllegalArgumentException malformed) {
            throw ProblemException.invalidField(ErrorCode.VALIDATION_FAILED, field, "duration", malformed.getMessage());
        }
        throw ProblemException.invalidField(ErrorCode.VALIDATION_FAILED, field, "range", rule);
    }

    Result issue(String userId, Wish wish) {
        Principal who = request.principal();
        Plan plan = tenancy.onResource(who, userId, scope -> plan(scope, userId, wish));
        return plan.delivered() != null ? plan.delivered() : issue(who, plan, wish);
    }

    /** What would be issued, in a transaction that is undone. */
    CredentialViews.Issuance planned(Scope scope, String userId, Wish wish) {
        Plan plan = plan(scope, userId, wish);
        return plan.delivered() != null
                ? plan.delivered().issuance()
                : views.issuance(issuances.get(scope, plan.issuanceId()));
    }

    private Plan plan(Scope scope, String userId, Wish wish) {
        scope.require(Permission.CREDENTIALS_WRITE);
        UserEntity user = users.get(scope, userId);
        if (user.disabled) {
            throw ProblemException.of(ErrorCode.STATE_CONFLICT, "The user is disabled. Set disabled to false first.");
        }
        Optional<IssuanceEntity> earlier =
                wish.issueKey() == null ? Optional.empty() : issuances.ofIssueKey(userId, wish.issueKey());
        if (earlier.isPresent()) {
            Result delivered = new Result(views.user(user), views.issuance(earlier.get()), null, null);
            return new Plan(scope.orgId(), user, null, earlier.get().id, delivered);
        }
        IssuanceEntity row = new IssuanceEntity();
        row.id = ids.next("iss");
        row.orgId = scope.orgId();
        row.accountId = user.accountId;
        row.userId = user.id;
        row.userName = user.name;
        row.groupId = user.groupId;
        row.state = "pending";
        row.channel = channel(scope.principal());
        row.issuedBy = scope.principal().label();
        row.issuedAt = clock.instant();
        row.issueKey = wish.issueKey();
        locator.add(row.id, scope.orgId(), user.accountId);
        issuances.persistAndFlush(row);
        return new Plan(scope.orgId(), user, groups.get(scope, user.groupId), row.id, null);
    }

    private static String channel(Principal who) {
        return who.token() == null ? "console" : "api";
    }

    private static Duration life(UserEntity user, Wish wish) {
        if (wish.ttl() != null) {
            return wish.ttl();
        }
        return user.jwtTtl == null ? DEFAULT_TTL : Durations.parse(user.jwtTtl);
    }

    private Result issue(Principal who, Plan plan, Wish wish) {
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
                            wish.publicKey(),
                            UserTags.read(plan.user().tags),
                            life(plan.user(), wish).toSeconds(),
                            channel(who),
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
            // It is issued by now: another one issued at the same moment must not undo this.
            UserEntity user = users.held(scope, plan.user().id);
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

    /** The ids of what is good now, before a rotation. */
    List<String> openOf(String userId) {
        return tenancy.onResource(
                request.principal(),
                userId,
                scope -> issuances.open(userId).stream().map(row -> row.id).toList());
    }
}
