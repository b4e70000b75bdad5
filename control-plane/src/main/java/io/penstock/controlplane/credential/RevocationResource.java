package io.penstock.controlplane.credential;

import io.penstock.controlplane.account.AccountRepository;
import io.penstock.controlplane.accountservice.AccountService;
import io.penstock.controlplane.audit.Audit;
import io.penstock.controlplane.operation.DryRuns;
import io.penstock.controlplane.tenancy.Permission;
import io.penstock.controlplane.tenancy.Tenancy;
import io.penstock.controlplane.web.Bodies;
import io.penstock.controlplane.web.ErrorCode;
import io.penstock.controlplane.web.Idempotency;
import io.penstock.controlplane.web.JsonSettings;
import io.penstock.controlplane.web.Paging;
import io.penstock.controlplane.web.ProblemException;
import io.penstock.controlplane.web.RequestInfo;
import io.penstock.controlplane.web.Requires;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.inject.Inject;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.time.Clock;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Revocations of user keys, as account-service has them. */
@Path("/v1/accounts/{account}/revocations")
@Produces("application/json")
@RunOnVirtualThread
public class RevocationResource {
    private static final String KEY = "\\*|U[A-Z2-7]{55}";

    @Inject
    RequestInfo request;

    @Inject
    Tenancy tenancy;

    @Inject
    AccountRepository accounts;

    @Inject
    IssuanceRepository issuances;

    @Inject
    AccountService accountService;

    @Inject
    Audit audit;

    @Inject
    Paging paging;

    @Inject
    Bodies bodies;

    @Inject
    Idempotency idempotency;

    @Inject
    Clock clock;

    /** A revocation as it is shown. */
    public record Revocation(
            String accountId, String publicKey, Instant before, String reason, Instant createdAt, Instant validUntil) {}

    /** A new revocation. */
    public record RevocationCreate(
            @NotNull(message = "a key is needed") @Pattern(regexp = KEY, message = "a public user nkey, or *")
            String publicKey,

            Instant before,

            @Size(max = 500, message = "at most 500 characters")
            String reason) {}

    @GET
    @Requires(Permission.CREDENTIALS_READ)
    public Paging.Page<Revocation> list(@PathParam("account") String account, @Context UriInfo uri) {
        Paging.Window window = paging.window(uri);
        check(account);
        List<AccountService.Revocation> all = accountService.revocations(why("revocation.list"), account);
        var page = paging.slice(window, all, AccountService.Revocation::userPublicKey);
        List<IssuanceEntity> living = living(account, "*");
        return new Paging.Page<>(
                page.data().stream().map(one -> view(account, one, living)).toList(), page.page());
    }

    @POST
    @Requires(Permission.CREDENTIALS_WRITE)
    @Consumes("application/json")
    public Response create(@PathParam("account") String account, @QueryParam("dry_run") boolean dryRun, byte[] body) {
        RevocationCreate form = bodies.read(body, RevocationCreate.class);
        if (form.before() != null && form.before().isAfter(clock.instant())) {
            throw ProblemException.invalidField(
                    ErrorCode.VALIDATION_FAILED, "before", "past", "a time that is not in the future");
        }
        check(account);
        if (dryRun) {
            long going = voided(account, form.publicKey(), form.before()).size();
            return Response.ok(DryRuns.action(Map.of("credentials", going), "Connections with these JWTs are closed."))
                    .build();
        }
        return idempotency.once(body, () -> {
            String reason = form.reason() == null ? "" : form.reason();
            Instant before =
                    accountService.revoke(why("revocation.create"), account, form.publicKey(), reason, form.before());
            tenancy.onResource(request.principal(), account, scope -> {
                for (IssuanceEntity one : goodUntil(account, form.publicKey(), before)) {
                    IssuanceEntity row = issuances.get(scope, one.id);
                    row.state = "revoked";
                    row.revokedAt = clock.instant();
                }
                audit.success(
                        scope,
                        "revocation.created",
                        path(account, form.publicKey()),
                        Map.of("before", JsonSettings.format(before), "reason", reason));
                return null;
            });
            Revocation made = view(account, find(account, form.publicKey()));
            return Idempotency.Answer.created(made, null, path(account, form.publicKey()));
        });
    }

    @GET
    @Requires(Permission.CREDENTIALS_READ)
    @Path("/{nkey}")
    public Revocation get(@PathParam("account") String account, @PathParam("nkey") String key) {
        check(account);
        return view(account, find(account, key));
    }

    /** A revocation that is taken back gives its JWTs back: refused while one would be good again. */
    @DELETE
    @Requires(Permission.CREDENTIALS_WRITE)
    @Path("/{nkey}")
    public Response delete(
            @PathParam("account") String account,
            @PathParam("nkey") String key,
            @QueryParam("dry_run") boolean dryRun) {
        check(account);
        Revocation there = view(account, find(account, key));
        if (there.validUntil() != null) {
            throw ProblemException.of(
                            ErrorCode.STATE_CONFLICT,
                            "A JWT of this key would be good again until " + JsonSettings.format(there.validUntil())
                                    + ". Until then the revocation stays.")
                    .param("valid_until", JsonSettings.format(there.validUntil()));
        }
        if (dryRun) {
            return Response.ok(DryRuns.action(Map.of())).build();
        }
        accountService.liftRevocation(why("revocation.delete"), account, key);
        tenancy.onResource(request.principal(), account, scope -> {
            audit.success(scope, "revocation.deleted", path(account, key), Map.of());
            return null;
        });
        return Response.noContent().build();
    }

    private void check(String account) {
        tenancy.onResource(request.principal(), account, scope -> accounts.get(scope, account));
    }

    private AccountService.Revocation find(String account, String key) {
        return accountService.revocations(why("revocation.read"), account).stream()
                .filter(one -> one.userPublicKey().equals(key))
                .findFirst()
                .orElseThrow(ProblemException::notFound);
    }

    private List<IssuanceEntity> voided(String account, String key, Instant before) {
        return tenancy.onResource(
                request.principal(),
                account,
                scope -> goodUntil(account, key, before == null ? clock.instant() : before));
    }

    private List<IssuanceEntity> goodUntil(String account, String key, Instant before) {
        return issuances.ofKeys(account, key, clock.instant()).stream()
                .filter(row -> "issued".equals(row.state) && !row.issuedAt.isAfter(before))
                .toList();
    }

    private List<IssuanceEntity> living(String account, String key) {
        return tenancy.onResource(
                request.principal(), account, scope -> issuances.ofKeys(account, key, clock.instant()));
    }

    private Revocation view(String account, AccountService.Revocation row) {
        return view(account, row, living(account, row.userPublicKey()));
    }

    private static Revocation view(String account, AccountService.Revocation row, List<IssuanceEntity> living) {
        boolean all = "*".equals(row.userPublicKey());
        Instant until = living.stream()
                .filter(one -> all || row.userPublicKey().equals(one.userPublicKey))
                .filter(one -> !one.issuedAt.isAfter(row.before()))
                .map(one -> one.expiresAt)
                .max(Comparator.naturalOrder())
                .orElse(null);
        return new Revocation(account, row.userPublicKey(), row.before(), row.reason(), row.createdAt(), until);
    }

    private AccountService.Reason why(String action) {
        return new AccountService.Reason(request.principal().userId(), action, request.requestId());
    }

    private static String path(String account, String key) {
        return "/v1/accounts/" + account + "/revocations/" + key;
    }
}
