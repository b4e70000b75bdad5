package io.penstock.controlplane.onboarding;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.controlplane.account.AccountEntity;
import io.penstock.controlplane.account.AccountRepository;
import io.penstock.controlplane.broker.JetStream;
import io.penstock.controlplane.credential.IssuanceEntity;
import io.penstock.controlplane.credential.IssuanceRepository;
import io.penstock.controlplane.credential.LedgerMirror;
import io.penstock.controlplane.tenancy.Permission;
import io.penstock.controlplane.tenancy.Tenancy;
import io.penstock.controlplane.web.RequestInfo;
import io.penstock.controlplane.web.Requires;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import java.time.Clock;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jboss.logging.Logger;

/** The checklist of an account. Every step is a fact: of the ledger, of CONNECT as the broker reported it, of the streams. */
@Path("/v1/accounts/{account}/onboarding")
@Produces("application/json")
@RunOnVirtualThread
public class OnboardingResource {
    private static final Logger LOG = Logger.getLogger(OnboardingResource.class);

    @Inject
    RequestInfo request;

    @Inject
    Tenancy tenancy;

    @Inject
    AccountRepository accounts;

    @Inject
    IssuanceRepository issuances;

    @Inject
    LedgerMirror ledger;

    @Inject
    JetStream jetStream;

    @Inject
    Clock clock;

    /** A step and when it was done. */
    public record OnboardingStep(boolean done, Instant at) {}

    /** The first CONNECT. */
    public record OnboardingConnected(
            boolean done, Instant at, String clientLang, String clientVersion, String ip, String userName) {}

    /** The list. */
    public record Onboarding(
            OnboardingStep credentialCreated,
            OnboardingConnected connected,
            OnboardingStep published,
            OnboardingStep streamCreated,
            boolean dismissed) {}

    private record Facts(AccountEntity account, List<IssuanceEntity> issued) {}

    @GET
    @Requires(Permission.ACCOUNTS_READ)
    public Onboarding get(@PathParam("account") String id) {
        AccountEntity account = tenancy.onResource(request.principal(), id, scope -> {
            AccountEntity row = accounts.get(scope, id);
            scope.require(Permission.ACCOUNTS_READ);
            return row;
        });
        ledger.refresh(account.orgId, id);
        Facts facts = tenancy.onResource(
                request.principal(), id, scope -> new Facts(accounts.get(scope, id), issuances.ofAccount(id)));
        return view(facts, streams(id));
    }

    @POST
    @Requires(Permission.ACCOUNTS_READ)
    @Path("/dismiss")
    public Onboarding dismiss(@PathParam("account") String id) {
        tenancy.onResource(request.principal(), id, scope -> {
            AccountEntity row = accounts.get(scope, id);
            scope.require(Permission.ACCOUNTS_READ);
            if (row.onboardingDismissedAt == null) {
                row.onboardingDismissedAt = clock.instant();
            }
            return null;
        });
        return get(id);
    }

    private List<JsonNode> streams(String accountId) {
        try {
            return jetStream.streams(accountId, null);
        } catch (RuntimeException unreachable) {
            LOG.debugf("streams of %s are unknown: %s", accountId, unreachable.toString());
            return List.of();
        }
    }

    private static Onboarding view(Facts facts, List<JsonNode> streams) {
        Stream<IssuanceEntity> given = facts.issued().stream().filter(issuance -> issuance.jti != null);
        Instant created = given.map(issuance -> issuance.issuedAt)
                .min(Comparator.naturalOrder())
                .orElse(null);
        IssuanceEntity first = facts.issued().stream()
                .filter(issuance -> issuance.firstConnectedAt != null)
                .min(Comparator.comparing(issuance -> issuance.firstConnectedAt))
                .orElse(null);
        Instant stream =
                earliest(streams.stream().map(info -> info.path("created").asText()));
        boolean published = streams.stream()
                .anyMatch(info -> info.path("state").path("last_seq").asLong() > 0);
        Instant stored = earliest(streams.stream()
                .map(info -> info.path("state"))
                .filter(state -> state.path("messages").asLong() > 0)
                .map(state -> state.path("first_ts").asText()));
        return new Onboarding(
                new OnboardingStep(created != null, created),
                first == null
                        ? new OnboardingConnected(false, null, null, null, null, null)
                        : new OnboardingConnected(
                                true,
                                first.firstConnectedAt,
                                first.clientLang,
                                first.clientVersion,
                                first.clientIp,
                                first.userName),
                new OnboardingStep(published, stored),
                new OnboardingStep(stream != null, stream),
                facts.account().onboardingDismissedAt != null);
    }

    private static Instant earliest(Stream<String> times) {
        return times.map(OnboardingResource::instant)
                .filter(Objects::nonNull)
                .min(Comparator.naturalOrder())
                .orElse(null);
    }

    private static Instant instant(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException notATime) {
            return null;
        }
    }
}
