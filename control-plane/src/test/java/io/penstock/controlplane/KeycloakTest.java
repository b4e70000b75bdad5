package io.penstock.controlplane;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.controlplane.identity.UserDirectory;
import io.penstock.controlplane.testing.Await;
import io.penstock.controlplane.testing.Browser;
import io.penstock.controlplane.testing.KeycloakProfile;
import io.penstock.controlplane.testing.PostgresResource;
import io.quarkus.mailer.Mail;
import io.quarkus.mailer.MockMailbox;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.microprofile.config.ConfigProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Sign-up, sign-in and sign-out with the real identity provider. */
@Tag("e2e")
@QuarkusTest
@TestProfile(KeycloakProfile.class)
class KeycloakTest extends ApiTest {
    private static final String PASSWORD = "correct horse battery";

    private final URI origin = URI.create(ConfigProvider.getConfig().getValue("penstock.public-url", String.class));

    @Test
    void newPersonSignsUpVerifiesSignsInAndOut() throws Exception {
        String email = "ines-" + UUID.randomUUID().toString().substring(0, 8) + "@meridian.test";
        String signup = signup(email, 202).path("signup_id").asText();
        String code = code(email);

        Browser early = new Browser(origin);
        Browser.Page refused = early.submit(early.open("/auth/login?redirect=/"), email, PASSWORD);
        assertThat(refused.text()).doesNotContain("penstock.cloud").contains("<form");
        JsonNode weak = post("/v1/signup/" + signup + "/verify", Map.of("code", code, "password", email), 422);
        assertThat(weak.at("/invalid_parameters/0/field").asText()).isEqualTo("password");

        JsonNode verified = post("/v1/signup/" + signup + "/verify", Map.of("code", code, "password", PASSWORD), 200);
        Browser browser = new Browser(origin);
        Browser.Page form = browser.open(verified.path("login_url").asText().replace("redirect=/", "redirect=/v1/me"));
        assertThat(form.text()).contains("Penstock").contains(email);
        Browser.Page wrong = browser.submit(form, email, "a wrong password of mine");
        assertThat(wrong.text()).contains("do not go together");
        Browser.Page in = browser.submit(wrong, email, PASSWORD);

        assertThat(in.address().getPath()).isEqualTo("/v1/me");
        assertThat(in.json().at("/user/email").asText()).as(in.text()).isEqualTo(email);
        JsonNode ready = Await.until(Duration.ofSeconds(60), () -> {
            JsonNode me = browser.open("/v1/me").json();
            return "ready".equals(me.at("/onboarding/bootstrap/state").asText()) ? me : null;
        });
        assertThat(ready.at("/organizations/0/name").asText()).isEqualTo("Meridian Freight");
        assertCookiesHoldNoToken(browser);
        assertNoTokenInDatabase();

        Map<String, String> before = browser.cookies();
        assertThat(before).containsOnlyKeys("q_session");
        assertThat(browser.post("/auth/logout", "wrong").status()).isEqualTo(403);
        assertThat(browser.post("/auth/logout", ready.path("csrf_token").asText())
                        .status())
                .isEqualTo(200);
        browser.restore(before);
        assertThat(browser.open("/v1/me").status()).isEqualTo(401);
        assertThat(browser.open("/auth/login?redirect=/v1/me").text())
                .as("the identity provider asks again")
                .contains("<form");
    }

    @Test
    void forgottenPasswordIsReplacedAndOldSessionsEnd() throws Exception {
        String email = "theo-" + UUID.randomUUID().toString().substring(0, 8) + "@meridian.test";
        String signup = signup(email, 202).path("signup_id").asText();
        post("/v1/signup/" + signup + "/verify", Map.of("code", code(email), "password", PASSWORD), 200);
        Browser browser = new Browser(origin);
        Browser.Page form = browser.open("/auth/login?redirect=/v1/me");
        assertThat(form.text())
                .contains("/forgot-password")
                .doesNotContain("onsubmit")
                .doesNotContain("onclick");
        assertThat(browser.submit(form, email, PASSWORD).address().getPath()).isEqualTo("/v1/me");

        post("/v1/password-reset", Map.of("email", email), 202);
        Matcher link =
                Pattern.compile("#token=([\\w-]+)").matcher(mail(email, 2).getText());
        assertThat(link.find()).isTrue();
        post("/v1/password-reset/confirm", Map.of("token", link.group(1), "password", "another long password"), 200);

        Browser fresh = new Browser(origin);
        Browser.Page old = fresh.submit(fresh.open("/auth/login?redirect=/v1/me"), email, PASSWORD);
        assertThat(old.text()).contains("do not go together");
        assertThat(fresh.submit(old, email, "another long password").address().getPath())
                .isEqualTo("/v1/me");
    }

    @Test
    void deletedPersonCannotSignIn() throws Exception {
        String email = "gone-" + UUID.randomUUID().toString().substring(0, 8) + "@meridian.test";
        String signup = signup(email, 202).path("signup_id").asText();
        post("/v1/signup/" + signup + "/verify", Map.of("code", code(email), "password", PASSWORD), 200);
        UserDirectory directory = bean(UserDirectory.class);
        String id = directory.findByEmail(email).orElseThrow().id();
        Browser browser = new Browser(origin);
        browser.submit(browser.open("/auth/login?redirect=/v1/me"), email, PASSWORD);
        assertThat(browser.open("/v1/me").status()).isEqualTo(200);

        directory.disable(id);
        Browser fresh = new Browser(origin);
        Browser.Page refused = fresh.submit(fresh.open("/auth/login?redirect=/v1/me"), email, PASSWORD);
        assertThat(refused.address().getPath()).isNotEqualTo("/v1/me");
        directory.delete(id);
        directory.delete(id);
        assertThat(directory.findByEmail(email)).isEmpty();
    }

    @Test
    void redirectsStayOnThisOrigin() {
        Browser browser = new Browser(origin);
        String email = "nobody@meridian.test";
        Browser.Page form = browser.open("/auth/login?redirect=//evil.test/&login_hint=" + email);
        assertThat(form.text()).contains("<form");
        assertThat(form.address().getHost()).isEqualTo("127.0.0.1");
    }

    private JsonNode signup(String email, int status) throws Exception {
        return post("/v1/signup", Map.of("email", email, "organization_name", "Meridian Freight"), status);
    }

    private JsonNode post(String path, Map<String, String> body, int status) throws Exception {
        StringBuilder json = new StringBuilder("{");
        body.forEach((name, value) -> json.append(json.length() > 1 ? "," : "")
                .append('"')
                .append(name)
                .append("\":\"")
                .append(value)
                .append('"'));
        HttpRequest request = HttpRequest.newBuilder(origin.resolve(path))
                .header("Origin", origin.toString())
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json.append('}').toString()))
                .build();
        try (HttpClient http = HttpClient.newHttpClient()) {
            HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
            return new com.fasterxml.jackson.databind.ObjectMapper().readTree(answer.body());
        }
    }

    private static String code(String email) {
        Matcher code = Pattern.compile("\\b(\\d{6})\\b").matcher(mail(email, 1).getText());
        assertThat(code.find()).isTrue();
        return code.group(1);
    }

    private static Mail mail(String email, int count) {
        return Await.until(Duration.ofSeconds(60), () -> {
            List<Mail> mails = bean(MockMailbox.class).getMailsSentTo(email);
            return mails.size() >= count ? mails.get(count - 1) : null;
        });
    }

    private static void assertCookiesHoldNoToken(Browser browser) {
        List<String> ours = browser.setCookies().stream()
                .filter(line -> line.startsWith("q_session=") && !line.startsWith("q_session=;"))
                .toList();
        assertThat(ours).isNotEmpty().allSatisfy(line -> {
            assertThat(line)
                    .containsIgnoringCase("; HttpOnly")
                    .contains("; SameSite=Lax")
                    .doesNotContain("eyJ");
            assertThat(line.substring(0, line.indexOf(';'))).hasSizeLessThan(80);
        });
    }

    private static void assertNoTokenInDatabase() throws Exception {
        try (Connection owner = PostgresResource.connect(PostgresResource.APP);
                ResultSet rows = owner.createStatement().executeQuery("select tokens from login_session")) {
            assertThat(rows.next()).isTrue();
            assertThat(new String(rows.getBytes(1), StandardCharsets.ISO_8859_1))
                    .doesNotContain("eyJ");
        }
    }
}
