package io.penstock.controlplane.identity;

import io.penstock.controlplane.bootstrap.Bootstraps;
import io.penstock.controlplane.tenancy.Principal;
import io.penstock.controlplane.web.Public;
import io.penstock.controlplane.web.RequestInfo;
import io.penstock.controlplane.web.Self;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.inject.Inject;
import jakarta.ws.rs.CookieParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.NewCookie;
import jakarta.ws.rs.core.Response;
import java.net.URI;

/** The browser's way in and out. The code flow itself happens before a request gets here. */
@Path("/auth")
@RunOnVirtualThread
public class AuthResource {
    static final String COOKIE = "q_session";

    @Inject
    RequestInfo request;

    @Inject
    Identities identities;

    @Inject
    Users users;

    @Inject
    Bootstraps bootstraps;

    @Inject
    Sessions sessions;

    @Inject
    ProviderLogout provider;

    /** Where the browser goes after sign-out. */
    public record LogoutResult(String redirect) {}

    @GET
    @Self
    @Path("/login")
    public Response login(@QueryParam("redirect") String redirect) {
        Principal who = request.principal();
        users.signedIn(who);
        bootstraps.start(who);
        return Response.seeOther(URI.create(ownPath(redirect))).build();
    }

    /** Where the identity provider's refusals end, such as a sign-in that was given up. */
    @GET
    @Public
    @Path("/error")
    public Response error(@QueryParam("error") String error) {
        boolean plain = error != null && error.matches("[a-z_]{1,40}");
        return Response.seeOther(URI.create("/?sign_in_error=" + (plain ? error : "unknown")))
                .build();
    }

    @POST
    @Self
    @Path("/logout")
    @Produces("application/json")
    public Response logout(@CookieParam(COOKIE) String session) {
        if (session != null) {
            identities.refreshToken().ifPresent(provider::end);
            sessions.end(session);
        }
        return Response.ok(new LogoutResult("/signed-out")).cookie(noCookie()).build();
    }

    /** Takes the session's cookie from the browser. */
    static NewCookie noCookie() {
        return new NewCookie.Builder(COOKIE)
                .value("")
                .path("/")
                .maxAge(0)
                .httpOnly(true)
                .sameSite(NewCookie.SameSite.LAX)
                .build();
    }

    /** A path of this origin; anything that could lead elsewhere becomes `/`. */
    static String ownPath(String redirect) {
        boolean own = redirect != null
                && redirect.length() <= 2000
                && redirect.startsWith("/")
                && !redirect.startsWith("//")
                && redirect.chars().allMatch(c -> c > 0x20 && c < 0x7f && c != '\\');
        return own ? redirect : "/";
    }
}
