package io.penstock.controlplane.identity;

import io.quarkus.oidc.AuthorizationCodeTokens;
import io.quarkus.oidc.OidcRequestContext;
import io.quarkus.oidc.OidcTenantConfig;
import io.quarkus.oidc.TokenStateManager;
import io.quarkus.security.AuthenticationFailedException;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Alternative;
import jakarta.inject.Inject;

/** Keeps tokens on the server: the session cookie carries the id of a {@link Sessions} record and nothing else. */
@Alternative
@Priority(1)
@ApplicationScoped
public class ServerSideTokens implements TokenStateManager {
    @Inject
    Sessions sessions;

    @Override
    public Uni<String> createTokenState(
            RoutingContext routing,
            OidcTenantConfig config,
            AuthorizationCodeTokens tokens,
            OidcRequestContext<String> context) {
        Sessions.Tokens kept = new Sessions.Tokens(
                tokens.getIdToken(),
                tokens.getAccessToken(),
                tokens.getRefreshToken(),
                tokens.getAccessTokenExpiresIn(),
                tokens.getAccessTokenScope());
        return context.runBlocking(() -> sessions.open(kept));
    }

    @Override
    public Uni<AuthorizationCodeTokens> getTokens(
            RoutingContext routing,
            OidcTenantConfig config,
            String id,
            OidcRequestContext<AuthorizationCodeTokens> context) {
        return context.runBlocking(() -> sessions.find(id)
                .map(kept -> new AuthorizationCodeTokens(
                        kept.idToken(), kept.accessToken(), kept.refreshToken(), kept.expiresIn(), kept.scope()))
                .orElseThrow(() -> new AuthenticationFailedException("the session has ended")));
    }

    @Override
    public Uni<Void> deleteTokens(
            RoutingContext routing, OidcTenantConfig config, String id, OidcRequestContext<Void> context) {
        return context.runBlocking(() -> {
            sessions.end(id);
            return null;
        });
    }
}
