package io.penstock.controlplane.testing;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.time.Duration;
import java.util.UUID;

/** A person whose first organisation stands ready. */
public record Tenant(ApiClient api, String email, String org, String project, String account, String group) {

    public static Tenant signedUp(URI base, String name) {
        String sub = UUID.randomUUID().toString();
        String email = name + "-" + sub.substring(0, 8) + "@tenants.test";
        ApiClient api = new ApiClient(base).signIn(sub, email);
        JsonNode bootstrap = Await.until(Duration.ofSeconds(20), () -> {
            JsonNode now = api.get("/v1/me").body().at("/onboarding/bootstrap");
            return "ready".equals(now.path("state").asText()) ? now : null;
        });
        return new Tenant(
                api,
                email,
                bootstrap.path("organization_id").asText(),
                bootstrap.path("project_id").asText(),
                bootstrap.path("account_id").asText(),
                bootstrap.path("signing_key_group_id").asText());
    }

    public String accountPath() {
        return "/v1/accounts/" + account;
    }
}
