package io.penstock.controlplane.web;

import io.penstock.controlplane.tenancy.Principal;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;

/** Who asks, from where, and under which id the answer can be found again. Lives as long as its request. */
@RequestScoped
public class RequestInfo {
    static final String REQUEST_ID = "penstock.request-id";

    @Inject
    RoutingContext routing;

    private Principal principal;

    public String requestId() {
        return routing.get(REQUEST_ID, "req_unknown");
    }

    public String path() {
        return routing.request().path();
    }

    public String method() {
        return routing.request().method().name();
    }

    public String header(String name) {
        return routing.request().getHeader(name);
    }

    public String ip() {
        return routing.request().remoteAddress() == null
                ? null
                : routing.request().remoteAddress().hostAddress();
    }

    /** At most 200 characters of the User-Agent header, or null. */
    public String userAgent() {
        String agent = header("User-Agent");
        return agent == null || agent.length() <= 200 ? agent : agent.substring(0, 200);
    }

    public Principal principal() {
        if (principal == null) {
            throw ProblemException.of(ErrorCode.UNAUTHENTICATED, "There is no session, or it has ended.");
        }
        return principal;
    }

    public void principal(Principal who) {
        principal = who;
    }
}
