package io.penstock.controlplane.web;

import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.MultiMap;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Headers of every answer, files of the console included: request id, content security policy and the like. */
@ApplicationScoped
public class ResponseHeaders {
    private static final Pattern REQUEST_ID = Pattern.compile("[A-Za-z0-9._:-]{1,64}");

    @Inject
    Ids ids;

    @ConfigProperty(name = "penstock.public-url")
    URI publicUrl;

    @ConfigProperty(name = "penstock.identity-url")
    Optional<String> identityUrl;

    @ConfigProperty(name = "penstock.websocket-urls")
    Optional<List<String>> websocketUrls;

    void register(@Observes Filters filters) {
        String policy = contentSecurityPolicy();
        boolean secure = "https".equals(publicUrl.getScheme());
        filters.register(routing -> addAndGoOn(routing, policy, secure), 1000);
    }

    private void addAndGoOn(RoutingContext routing, String policy, boolean secure) {
        String given = routing.request().getHeader("X-Request-Id");
        String id = given != null && REQUEST_ID.matcher(given).matches() ? given : ids.next("req");
        routing.put(RequestInfo.REQUEST_ID, id);
        MultiMap headers = routing.response().headers();
        headers.set("X-Request-Id", id);
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set("X-Frame-Options", "DENY");
        headers.set("Referrer-Policy", "no-referrer");
        headers.set("Cross-Origin-Opener-Policy", "same-origin");
        headers.set("Cross-Origin-Resource-Policy", "same-origin");
        headers.set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()");
        headers.set("Content-Security-Policy", policy);
        if (secure) {
            headers.set("Strict-Transport-Security", "max-age=63072000; includeSubDomains");
        }
        String path = routing.request().path();
        if (path.startsWith("/v1") || path.startsWith("/auth")) {
            headers.set("Cache-Control", "no-store");
        }
        routing.next();
    }

    private String contentSecurityPolicy() {
        String sockets = websocketUrls.orElse(List.of()).stream().collect(Collectors.joining(" "));
        return "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
                + "manifest-src 'self'; connect-src 'self'"
                + (sockets.isEmpty() ? "" : " " + sockets)
                + "; form-action 'self'"
                + identityUrl.map(url -> " " + url).orElse("")
                + "; base-uri 'none'; frame-ancestors 'none'; object-src 'none'";
    }
}
