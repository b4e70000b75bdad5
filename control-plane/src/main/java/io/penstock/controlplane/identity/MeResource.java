package io.penstock.controlplane.identity;

import io.penstock.controlplane.bootstrap.BootstrapView;
import io.penstock.controlplane.bootstrap.Bootstraps;
import io.penstock.controlplane.org.Organizations;
import io.penstock.controlplane.tenancy.Principal;
import io.penstock.controlplane.web.Bodies;
import io.penstock.controlplane.web.Csrf;
import io.penstock.controlplane.web.ErrorCode;
import io.penstock.controlplane.web.ProblemException;
import io.penstock.controlplane.web.RequestInfo;
import io.penstock.controlplane.web.Self;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.inject.Inject;
import jakarta.validation.constraints.NotNull;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.CookieParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Response;
import java.util.List;

/** Who is signed in. */
@Path("/v1/me")
@Produces("application/json")
@RunOnVirtualThread
public class MeResource {
    @Inject
    RequestInfo request;

    @Inject
    Identities identities;

    @Inject
    Organizations organizations;

    @Inject
    Bootstraps bootstraps;

    @Inject
    Csrf csrf;

    @Inject
    Persons persons;

    @Inject
    Sessions sessions;

    @Inject
    Bodies bodies;

    /** The person. */
    public record MeUser(String id, String email, String name) {}

    /** What the first sign-in sets up. */
    public record MeOnboarding(BootstrapView bootstrap) {}

    /** The answer. */
    public record Me(
            MeUser user, List<Organizations.Membership> organizations, String csrfToken, MeOnboarding onboarding) {}

    /** The confirmation. */
    public record MeDelete(
            @NotNull(message = "write your own address to confirm")
            String email) {}

    @GET
    @Self
    public Me me() {
        Identities.Session session = identities.current();
        var who = session.principal();
        return new Me(
                new MeUser(who.userId(), who.email(), who.name()),
                organizations.memberships(who),
                csrf.token(session),
                new MeOnboarding(bootstraps.view(who)));
    }

    /** Ends the person and this session. `email` is the own one, so that nobody does it by a slip. */
    @POST
    @Self
    @Path("/actions/delete")
    @Consumes("application/json")
    public Response delete(@CookieParam(AuthResource.COOKIE) String session, byte[] body) {
        MeDelete form = bodies.read(body, MeDelete.class);
        Principal who = identities.current().principal();
        if (!who.email().equalsIgnoreCase(form.email().strip())) {
            throw ProblemException.invalidField(
                    ErrorCode.VALIDATION_FAILED, "email", "match", "write your own address to confirm");
        }
        persons.delete(who);
        if (session != null) {
            sessions.end(session);
        }
        return Response.noContent().cookie(AuthResource.noCookie()).build();
    }
}
