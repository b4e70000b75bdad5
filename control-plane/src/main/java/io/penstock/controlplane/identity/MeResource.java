package io.penstock.controlplane.identity;

import io.penstock.controlplane.bootstrap.BootstrapView;
import io.penstock.controlplane.bootstrap.Bootstraps;
import io.penstock.controlplane.org.Organizations;
import io.penstock.controlplane.web.Csrf;
import io.penstock.controlplane.web.RequestInfo;
import io.penstock.controlplane.web.Self;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.inject.Inject;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
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

    /** The person. */
    public record MeUser(String id, String email, String name) {}

    /** What the first sign-in sets up. */
    public record MeOnboarding(BootstrapView bootstrap) {}

    /** The answer. */
    public record Me(
            MeUser user, List<Organizations.Membership> organizations, String csrfToken, MeOnboarding onboarding) {}

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
}
