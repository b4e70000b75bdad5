package io.penstock.controlplane.identity;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/** Ends the session at the identity provider as well, from server to server, so that no token passes the browser. */
@Singleton
public class ProviderLogout {
    private static final Logger LOG = Logger.getLogger(ProviderLogout.class);
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(PATIENCE).build();
    private final String serverUrl;
    private final String clientId;
    private final String clientSecret;

    @Inject
    public ProviderLogout(
            @ConfigProperty(name = "quarkus.oidc.auth-server-url") String serverUrl,
            @ConfigProperty(name = "quarkus.oidc.client-id") String clientId,
            @ConfigProperty(name = "quarkus.oidc.credentials.secret") String clientSecret) {
        this.serverUrl = serverUrl;
        this.clientId = clientId;
        this.clientSecret = clientSecret;
    }

    /** Best effort: the own session ends whatever the provider says. */
    void end(String refreshToken) {
        String form = "client_id=" + encode(clientId) + "&client_secret=" + encode(clientSecret) + "&refresh_token="
                + encode(refreshToken);
        HttpRequest request = HttpRequest.newBuilder(URI.create(serverUrl + "/protocol/openid-connect/logout"))
                .timeout(PATIENCE)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(form))
                .build();
        try {
            int status =
                    http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
            if (status >= 300) {
                LOG.warnf("the identity provider refused to end a session: status %d", status);
            }
        } catch (IOException unreachable) {
            LOG.warnf("the identity provider was not told of a sign-out: %s", unreachable.toString());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static String encode(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8);
    }
}
