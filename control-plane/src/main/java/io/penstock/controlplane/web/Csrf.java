package io.penstock.controlplane.web;

import io.penstock.controlplane.identity.Identities;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.Base64;

/** The form token: a MAC over the session, so it needs no cookie of its own and cannot be planted by another site. */
@Singleton
public class Csrf {
    @Inject
    Secrets secrets;

    public String token(Identities.Session session) {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(secrets.mac("csrf", session.principal().sub() + "\n" + session.sid()));
    }
}
