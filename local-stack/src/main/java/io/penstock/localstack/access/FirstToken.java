package io.penstock.localstack.access;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.localstack.StackException;
import java.net.URI;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Signs a person up the way everybody does, and makes a token for a service account of the new organisation. */
public final class FirstToken {
    private static final Pattern CODE = Pattern.compile("\\b(\\d{3}) ?(\\d{3})\\b");
    private static final Pattern FORM = Pattern.compile("action=\"([^\"]+)\"");
    private static final long PATIENCE_NANOS = 60_000_000_000L;
    private static final long POLL_NANOS = 200_000_000L;

    private final Browser browser = new Browser();
    private final URI origin;
    private final URI mail;

    /**
     * @param origin of console and API
     * @param mail of the mail sink
     */
    public FirstToken(URI origin, URI mail) {
        this.origin = origin;
        this.mail = mail;
    }

    /** Makes everything anew; nothing of an earlier call is used. */
    public LocalAccess make() {
        SecureRandom random = new SecureRandom();
        byte[] bytes = new byte[18];
        random.nextBytes(bytes);
        String password = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        String email = "terraform-" + Integer.toHexString(random.nextInt()) + "@example.com";
        signUp(email, password);
        JsonNode me = await("the set-up of the organisation", this::ready);
        String organization = me.at("/organizations/0/id").asText();
        Map<String, String> headers = Map.of(
                "X-CSRF-Token", me.get("csrf_token").asText(),
                "Origin", origin.toString());
        URI org = origin.resolve("/v1/orgs/" + organization + "/");
        String account = post(org.resolve("service-accounts"), Map.of("name", "terraform"), headers)
                .get("id")
                .asText();
        post(org.resolve("role-assignments"), Map.of("principal_id", account, "role", "owner"), headers);
        JsonNode made = post(
                origin.resolve("/v1/service-accounts/" + account + "/tokens"),
                Map.of("name", "local", "scopes", List.of("*")),
                headers);
        return new LocalAccess(origin.toString(), made.get("secret").asText(), organization, email, password);
    }

    private void signUp(String email, String password) {
        JsonNode signup = browser.post(
                origin.resolve("/v1/signup"),
                Map.of("email", email, "organization_name", "Terraform"),
                Map.of("Origin", origin.toString()));
        String code = await("a mail to " + email, () -> code(email));
        JsonNode verified = browser.post(
                origin.resolve("/v1/signup/" + signup.get("signup_id").asText() + "/verify"),
                Map.of("code", code, "password", password),
                Map.of("Origin", origin.toString()));
        Browser.Page login =
                browser.open(origin.resolve(verified.get("login_url").asText()));
        Matcher form = FORM.matcher(login.body());
        if (!form.find()) {
            throw new StackException("the sign-in page " + login.address() + " has no form");
        }
        URI action = login.address().resolve(form.group(1).replace("&amp;", "&"));
        browser.submit(action, Map.of("username", email, "password", password));
    }

    private String code(String email) {
        for (JsonNode message : browser.open(mail.resolve("/api/messages")).json()) {
            if (message.get("to").toString().toLowerCase(Locale.ROOT).contains(email)) {
                Matcher code = CODE.matcher(message.get("text").asText());
                return code.find() ? code.group(1) + code.group(2) : null;
            }
        }
        return null;
    }

    private JsonNode ready() {
        Browser.Page me = browser.open(origin.resolve("/v1/me"));
        if (me.status() != 200) {
            throw new StackException("signing in did not work: " + me.body());
        }
        JsonNode state = me.json();
        return state.at("/onboarding/bootstrap/state").asText().equals("ready") ? state : null;
    }

    private JsonNode post(URI address, Map<String, ?> body, Map<String, String> headers) {
        Map<String, String> all = new java.util.HashMap<>(headers);
        all.put("Idempotency-Key", UUID.randomUUID().toString());
        return browser.post(address, body, all);
    }

    private static <T> T await(String what, Supplier<T> look) {
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (true) {
            T found = look.get();
            if (found != null) {
                return found;
            }
            if (System.nanoTime() > end) {
                throw new StackException(
                        what + " did not come within a minute; ./penstock logs control-plane may tell why");
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }
}
