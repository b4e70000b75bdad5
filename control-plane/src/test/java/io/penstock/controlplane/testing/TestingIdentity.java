package io.penstock.controlplane.testing;

import io.quarkus.security.identity.IdentityProviderManager;
import io.quarkus.security.identity.SecurityIdentity;
import io.quarkus.security.runtime.QuarkusSecurityIdentity;
import io.quarkus.vertx.http.runtime.security.ChallengeData;
import io.quarkus.vertx.http.runtime.security.HttpAuthenticationMechanism;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Alternative;

/** Takes the session from a header: `sub|email|sid`. */
@Alternative
@ApplicationScoped
public class TestingIdentity implements HttpAuthenticationMechanism {
    static final String HEADER = "X-Testing-Session";

    @Override
    public Uni<SecurityIdentity> authenticate(RoutingContext context, IdentityProviderManager manager) {
        String session = context.request().getHeader(HEADER);
        if (session == null) {
            return Uni.createFrom().nullItem();
        }
        String[] parts = session.split("\\|");
        return Uni.createFrom()
                .item(QuarkusSecurityIdentity.builder()
                        .setPrincipal(() -> parts[0])
                        .addAttribute("sub", parts[0])
                        .addAttribute("email", parts[1])
                        .addAttribute("sid", parts[2])
                        .build());
    }

    @Override
    public Uni<ChallengeData> getChallenge(RoutingContext context) {
        return Uni.createFrom().item(new ChallengeData(401));
    }
}
