package io.penstock.controlplane.identity;

import io.penstock.controlplane.web.ErrorCode;
import io.penstock.controlplane.web.ProblemException;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.control.ActivateRequestContext;
import jakarta.inject.Inject;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.eclipse.microprofile.faulttolerance.CircuitBreaker;
import org.eclipse.microprofile.faulttolerance.Timeout;
import org.keycloak.admin.client.CreatedResponseUtil;
import org.keycloak.admin.client.Keycloak;
import org.keycloak.admin.client.resource.UsersResource;
import org.keycloak.representations.idm.CredentialRepresentation;
import org.keycloak.representations.idm.UserRepresentation;

/** Keycloak's users of one realm, with a service account that may manage users and nothing else. */
@ApplicationScoped
@ActivateRequestContext
@CircuitBreaker(requestVolumeThreshold = 10, failureRatio = 0.5, delay = 5000, skipOn = ProblemException.class)
@Timeout(10_000)
public class KeycloakDirectory implements UserDirectory {
    @Inject
    Keycloak keycloak;

    @ConfigProperty(name = "quarkus.keycloak.admin-client.realm")
    String realm;

    @Override
    public Optional<DirectoryUser> findByEmail(String email) {
        List<UserRepresentation> found = users().searchByEmail(email, true);
        return found.stream()
                .findFirst()
                .map(user -> new DirectoryUser(
                        user.getId(),
                        user.getEmail(),
                        Boolean.TRUE.equals(user.isEnabled()) && Boolean.TRUE.equals(user.isEmailVerified())));
    }

    @Override
    public String createUnverified(String email) {
        UserRepresentation user = new UserRepresentation();
        user.setUsername(email);
        user.setEmail(email);
        user.setEnabled(false);
        user.setEmailVerified(false);
        try (Response response = users().create(user)) {
            return CreatedResponseUtil.getCreatedId(response);
        }
    }

    @Override
    public void replacePassword(String id, String password) {
        try {
            users().get(id).resetPassword(password(password));
        } catch (WebApplicationException refused) {
            if (refused.getResponse().getStatus() != 400) {
                throw refused;
            }
            throw ProblemException.invalidField(
                    ErrorCode.VALIDATION_FAILED, "password", "policy", "12 to 128 characters, and not your address");
        }
    }

    @Override
    public void markVerified(String id) {
        enable(id, true);
    }

    @Override
    public void endSessions(String id) {
        users().get(id).logout();
        keycloak.realm(realm).attackDetection().clearBruteForceForUser(id);
    }

    @Override
    public void disable(String id) {
        enable(id, false);
        users().get(id).logout();
    }

    @Override
    public void delete(String id) {
        try (Response gone = users().delete(id)) {
            if (gone.getStatus() >= 300 && gone.getStatus() != 404) {
                throw new IllegalStateException("the identity provider does not remove a user: " + gone.getStatus());
            }
        }
    }

    private void enable(String id, boolean enabled) {
        UserRepresentation user = users().get(id).toRepresentation();
        user.setEnabled(enabled);
        user.setEmailVerified(enabled);
        users().get(id).update(user);
    }

    private UsersResource users() {
        return keycloak.realm(realm).users();
    }

    private static CredentialRepresentation password(String value) {
        CredentialRepresentation password = new CredentialRepresentation();
        password.setType(CredentialRepresentation.PASSWORD);
        password.setValue(value);
        password.setTemporary(false);
        return password;
    }
}
