package io.penstock.controlplane.web;

import io.penstock.controlplane.access.BearerTokens;
import io.penstock.controlplane.identity.Identities;
import io.penstock.controlplane.tenancy.Principal;
import io.penstock.controlplane.tenancy.Tenancy;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Inject;
import jakarta.ws.rs.container.ContainerRequestContext;
import java.lang.reflect.Method;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;
import org.jboss.resteasy.reactive.server.SimpleResourceInfo;

/**
 * What every call passes, in this order: who it is (a session with this site's origin and form token, or an API token), the rate limit,
 * the permission. Denies by default: an operation without {@link Public}, {@link Self} or {@link Requires} is refused.
 */
public class ApiGate {
    private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS");
    private static final String SESSION_COOKIE = "q_session";
    /** `/v1/<kind>/{id}`: the object that a permission is asked for. */
    private static final int OBJECT = 3;

    private static final Map<String, Method> OPERATIONS = new ConcurrentHashMap<>();

    @Inject
    RequestInfo request;

    @Inject
    Identities identities;

    @Inject
    BearerTokens tokens;

    @Inject
    Tenancy tenancy;

    @Inject
    RateLimits limits;

    @Inject
    Csrf csrf;

    @ConfigProperty(name = "penstock.public-url")
    URI publicUrl;

    @ServerRequestFilter
    public void pass(ContainerRequestContext context, SimpleResourceInfo resource, RoutingContext routing) {
        Method operation = operation(resource);
        boolean changes = !SAFE.contains(request.method());
        if (operation.isAnnotationPresent(Public.class)) {
            if (changes) {
                requireOwnOrigin();
            }
            limits.anonymous(request.ip(), changes);
            return;
        }
        String authorization = request.header("Authorization");
        Principal who = authorization == null ? session(changes) : token(authorization, routing);
        request.principal(who);
        limits.principal(who, RateLimits.Kind.of(request.method(), request.path()), routing);
        authorize(operation, who);
    }

    private Principal session(boolean changes) {
        if (changes) {
            requireOwnOrigin();
        }
        Identities.Session session = identities.current();
        if (changes) {
            requireFormToken(session);
        }
        return session.principal();
    }

    /** A cookie beside a token would leave open who acts, so both together are refused. */
    private Principal token(String authorization, RoutingContext routing) {
        if (routing.request().getCookie(SESSION_COOKIE) != null) {
            throw ProblemException.of(
                    ErrorCode.INVALID_REQUEST, "Send a session cookie or an Authorization header, not both.");
        }
        try {
            return tokens.authenticate(authorization, new BearerTokens.Origin(request.ip(), request.userAgent()));
        } catch (ProblemException refused) {
            // Counted by address, so that guessing costs the guesser its calls.
            limits.anonymous(request.ip(), false);
            throw refused;
        }
    }

    private void authorize(Method operation, Principal who) {
        Self self = operation.getAnnotation(Self.class);
        if (self != null) {
            if (who.token() != null && !self.tokens()) {
                throw ProblemException.of(
                        ErrorCode.PERMISSION_DENIED,
                        "This is for people with a session. A token asks GET /v1/principal who it is.");
            }
            return;
        }
        Requires needed = operation.getAnnotation(Requires.class);
        if (needed == null) {
            throw ProblemException.of(ErrorCode.PERMISSION_DENIED, "Nobody may do this.");
        }
        String id = request.path().split("/", OBJECT + 2)[OBJECT];
        tenancy.onResource(
                who,
                id,
                scope -> needed.somewhere() ? scope.requireSomewhere(needed.value()) : scope.require(needed.value()));
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

    private void requireFormToken(Identities.Session session) {
        String sent = request.header("X-CSRF-Token");
        byte[] expected = csrf.token(session).getBytes(StandardCharsets.UTF_8);
        if (sent == null || !MessageDigest.isEqual(expected, sent.getBytes(StandardCharsets.UTF_8))) {
            throw ProblemException.of(
                    ErrorCode.CSRF_FAILED, "Send the `csrf_token` of GET /v1/me in the header X-CSRF-Token.");
        }
    }

    private static Method operation(SimpleResourceInfo resource) {
        Class<?> type = resource.getResourceClass();
        return OPERATIONS.computeIfAbsent(
                type.getName() + "#" + resource.getMethodName(),
                key -> Arrays.stream(type.getMethods())
                        .filter(method -> method.getName().equals(resource.getMethodName()))
                        .findFirst()
                        .orElseThrow(() -> new IllegalStateException(key + " is not there")));
    }
}
