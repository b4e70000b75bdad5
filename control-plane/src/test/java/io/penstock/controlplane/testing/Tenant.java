package io.penstock.controlplane.testing;

import com.fasterxml.jackson.databind.JsonNode;
import io.quarkus.mailer.Mail;
import io.quarkus.mailer.MockMailbox;
import jakarta.enterprise.inject.spi.CDI;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A person whose first organisation stands ready. */
public record Tenant(ApiClient api, String email, String org, String project, String account, String group) {

    public static Tenant signedUp(URI base, String name) {
        String sub = UUID.randomUUID().toString();
        String email = name + "-" + sub.substring(0, 8) + "@tenants.test";
        ApiClient api = new ApiClient(base).signIn(sub, email);
        JsonNode bootstrap = Await.until(Duration.ofSeconds(60), () -> {
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

    /** Another person, invited by this tenant and joined with the role; `projectId` null: in the whole organisation. */
    public ApiClient join(URI base, String role, String projectId) {
        String sub = UUID.randomUUID().toString();
        String email = role + "-" + sub.substring(0, 8) + "@members.test";
        Map<String, Object> body = new HashMap<>(Map.of("email", email, "role", role));
        body.put("project_id", projectId);
        ApiClient.Answer invited = api.post("/v1/orgs/" + org + "/invitations", body);
        if (invited.status() != 201) {
            throw new AssertionError(invited.body());
        }
        ApiClient member = new ApiClient(base).signIn(sub, email);
        ApiClient.Answer accepted = member.post("/v1/invitations/accept", Map.of("token", invitationToken(email)));
        if (accepted.status() != 200) {
            throw new AssertionError(accepted.body());
        }
        return member;
    }

    /** From the newest mail to this address. */
    public static String invitationToken(String email) {
        MockMailbox mailbox = CDI.current().select(MockMailbox.class).get();
        String text = Await.until(Duration.ofSeconds(60), () -> {
            List<Mail> mails = mailbox.getMailsSentTo(email);
            return mails.isEmpty() ? null : mails.getLast().getText();
        });
        Matcher link = Pattern.compile("/invitation#token=([\\w-]+)").matcher(text);
        if (!link.find()) {
            throw new AssertionError(text);
        }
        return link.group(1);
    }

    /** A service account with a role, and a token of it with these scopes. */
    public String token(String role, String... scopes) {
        String name = "sa-" + UUID.randomUUID().toString().substring(0, 8);
        String id = api.post("/v1/orgs/" + org + "/service-accounts", Map.of("name", name))
                .text("id");
        api.post("/v1/orgs/" + org + "/role-assignments", Map.of("principal_id", id, "role", role));
        ApiClient.Answer made = api.post(
                "/v1/service-accounts/" + id + "/tokens",
                Map.of("name", "t", "scopes", List.of(scopes)),
                "Idempotency-Key",
                UUID.randomUUID().toString());
        if (made.status() != 201) {
            throw new AssertionError(made.body());
        }
        return made.text("secret");
    }

    public String accountPath() {
        return "/v1/accounts/" + account;
    }
}
