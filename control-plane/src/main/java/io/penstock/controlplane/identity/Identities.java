package io.penstock.controlplane.identity;

import io.penstock.controlplane.tenancy.Principal;
import io.penstock.controlplane.web.ErrorCode;
import io.penstock.controlplane.web.ProblemException;
import io.quarkus.oidc.RefreshToken;
import io.quarkus.security.identity.CurrentIdentityAssociation;
import io.quarkus.security.identity.SecurityIdentity;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Optional;
import org.eclipse.microprofile.jwt.JsonWebToken;
import org.jboss.logging.Logger;

/** Tells who is behind the session of the present request. */
@ApplicationScoped
public class Identities {
    private static final Logger LOG = Logger.getLogger(Identities.class);
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    @Inject
    CurrentIdentityAssociation association;

    @Inject
    Users users;

    /** A person and the identity provider's id of the session, which stays the same when tokens are refreshed. */
    public record Session(Principal principal, String sid) {}

    /** The session, or 401. */
    public Session current() {
        SecurityIdentity identity;
        try {
            identity = association.getDeferredIdentity().await().atMost(PATIENCE);
        } catch (RuntimeException refused) {
            LOG.debugf("session refused: %s", refused.toString());
            throw unauthenticated();
        }
        if (identity == null || identity.isAnonymous()) {
            throw unauthenticated();
        }
        return session(identity);
    }

    /** The identity provider's refresh token of the present session, if there is one. */
    Optional<String> refreshToken() {
        SecurityIdentity identity = association.getDeferredIdentity().await().atMost(PATIENCE);
        return Optional.ofNullable(identity.getCredential(RefreshToken.class)).map(RefreshToken::getToken);
    }

    private Session session(SecurityIdentity identity) {
        if (identity.getPrincipal() instanceof JsonWebToken token) {
            String email = token.getClaim("email");
            String name = token.getClaim("name");
            String sid = token.getClaim("sid");
            return session(token.getSubject(), email, name, sid);
        }
        return session(
                identity.getAttribute("sub"),
                identity.getAttribute("email"),
                identity.getAttribute("name"),
                identity.getAttribute("sid"));
    }

    private Session session(String sub, String email, String name, String sid) {
        if (sub == null || email == null) {
            throw unauthenticated();
        }
        String shown = name == null || name.isBlank() ? email : name;
        return new Session(users.principal(sub, email, shown), sid == null ? "" : sid);
    }

    private static ProblemException unauthenticated() {
        return ProblemException.of(ErrorCode.UNAUTHENTICATED, "There is no session, or it has ended. Sign in again.");
    }
}
