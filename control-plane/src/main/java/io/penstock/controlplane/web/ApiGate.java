package io.penstock.controlplane.web;

import io.penstock.controlplane.identity.Identities;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Inject;
import jakarta.ws.rs.container.ContainerRequestContext;
import java.lang.reflect.Method;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Locale;
import java.util.Set;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;
import org.jboss.resteasy.reactive.server.SimpleResourceInfo;

/**
 * What every call passes, in this order: the origin of a call that changes something, the session, the form token, the
 * rate limit. Denies by default: only {@link Public} operations go without a session.
 */
public class ApiGate {
    private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS");

    @Inject
    RequestInfo request;

    @Inject
    Identities identities;

    @Inject
    RateLimits limits;

    @Inject
    Csrf csrf;

    @ConfigProperty(name = "penstock.public-url")
    URI publicUrl;

    @ServerRequestFilter
    public void pass(ContainerRequestContext context, SimpleResourceInfo resource, RoutingContext routing) {
        boolean changes = !SAFE.contains(request.method());
        if (changes) {
            requireOwnOrigin();
        }
        if (isPublic(resource)) {
            limits.anonymous(request.ip(), changes);
            return;
        }
        Identities.Session session = identities.current();
        request.principal(session.principal());
        if (changes) {
            requireToken(session);
        }
        limits.principal(session.principal(), RateLimits.Kind.of(request.method(), request.path()), routing);
    }

    private void requireOwnOrigin() {
        String site = request.header("Sec-Fetch-Site");
        String origin = request.header("Origin");
        boolean foreignSite = site != null && !"same-origin".equals(site) && !"none".equals(site);
        if (foreignSite || origin == null || !isOwn(origin)) {
            throw ProblemException.of(
                    ErrorCode.CSRF_FAILED, "Calls that change something need the Origin header of this site.");
        }
    }

    private boolean isOwn(String origin) {
        String wanted = origin.toLowerCase(Locale.ROOT);
        String own = publicUrl.getScheme() + "://" + publicUrl.getAuthority();
        return wanted.equals(own.toLowerCase(Locale.ROOT));
    }

    private void requireToken(Identities.Session session) {
        String sent = request.header("X-CSRF-Token");
        byte[] expected = csrf.token(session).getBytes(StandardCharsets.UTF_8);
        if (sent == null || !MessageDigest.isEqual(expected, sent.getBytes(StandardCharsets.UTF_8))) {
            throw ProblemException.of(
                    ErrorCode.CSRF_FAILED, "Send the `csrf_token` of GET /v1/me in the header X-CSRF-Token.");
        }
    }

    private static boolean isPublic(SimpleResourceInfo resource) {
        for (Method method : resource.getResourceClass().getMethods()) {
            if (method.getName().equals(resource.getMethodName()) && method.isAnnotationPresent(Public.class)) {
                return true;
            }
        }
        return false;
    }
}
