package io.penstock.controlplane;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.controlplane.testing.ApiClient;
import io.penstock.controlplane.testing.ApiClient.Answer;
import io.penstock.controlplane.testing.Await;
import io.penstock.controlplane.testing.PostgresResource;
import io.penstock.controlplane.testing.QuickProfile;
import io.penstock.controlplane.testing.Tenant;
import io.penstock.controlplane.testing.TestingUserDirectory;
import io.quarkus.mailer.Mail;
import io.quarkus.mailer.MockMailbox;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Forgotten passwords and deleted people. */
@QuarkusTest
@TestProfile(QuickProfile.class)
class PersonTest extends ApiTest {
    private final TestingUserDirectory directory = bean(TestingUserDirectory.class);

    private ApiClient nobody() {
        return new ApiClient(base);
    }

    private record Person(String sub, String email, ApiClient api) {}

    private Person person(String name) {
        String sub = UUID.randomUUID().toString();
        String email = name + "-" + sub.substring(0, 8) + "@persons.test";
        directory.add(sub, email, "the first password");
        return new Person(sub, email, new ApiClient(base).signIn(sub, email));
    }

    @Test
    void linkOfTheMailChangesThePasswordOnceAndEndsSessions() {
        Person ines = person("ines");
        assertThat(request(ines.email()).status()).isEqualTo(202);
        String token = token(ines.email());

        assertThat(confirm(token, TestingUserDirectory.REFUSED + " x").code()).isEqualTo("validation_failed");
        assertThat(confirm(token, "short").code()).isEqualTo("validation_failed");
        assertThat(confirm(token, "the second password").text("login_url")).startsWith("/auth/login?redirect=/");
        assertThat(directory.isPassword(ines.sub(), "the second password")).isTrue();
        assertThat(directory.sessionsEnded(ines.sub())).isTrue();
        assertThat(confirm(token, "the third password").code()).isEqualTo("state_conflict");
        assertThat(directory.isPassword(ines.sub(), "the second password")).isTrue();
        assertThat(mail(ines.email(), 2).getSubject()).contains("changed");
    }

    @Test
    void answerTellsNothingAndUnknownAddressesGetNoMail() {
        Person ines = person("known");
        Answer known = request(ines.email());
        Answer unknown = request("nobody-" + UUID.randomUUID() + "@persons.test");
        assertThat(unknown.status()).isEqualTo(known.status());
        assertThat(unknown.body().properties()).hasSameSizeAs(known.body().properties());
        token(ines.email());
        assertThat(bean(MockMailbox.class).getMailsSentTo(unknown.text("email")))
                .isEmpty();
    }

    @Test
    void secondMailWithinAMinuteIsNotSentAndOldLinksEnd() throws SQLException {
        Person ines = person("often");
        request(ines.email());
        String first = token(ines.email());
        PostgresResource.force(
                "update password_reset set last_sent_at = now() - interval '2 minutes' where directory_id = '"
                        + ines.sub() + "'");
        request(ines.email());
        Mail second = mail(ines.email(), 2);
        assertThat(confirm(first, "the second password").code()).isEqualTo("state_conflict");
        PostgresResource.force(
                "update password_reset set expires_at = now() - interval '1 second' where directory_id = '" + ines.sub()
                        + "'");
        assertThat(confirm(token(second), "the second password").code()).isEqualTo("state_conflict");
        assertThat(confirm("a".repeat(43), "the second password").code()).isEqualTo("state_conflict");
        assertThat(directory.isPassword(ines.sub(), "the first password")).isTrue();
    }

    @Test
    void soleOwnerWithAccountsStays() {
        Person ines = person("owner");
        Await.until(
                Duration.ofSeconds(60),
                () -> "ready".equals(ines.api().get("/v1/me").text("onboarding.bootstrap.state")) ? ines : null);
        assertThat(delete(ines, ines.email()).code()).isEqualTo("has_dependents");
        assertThat(delete(ines, "someone@else.test").code()).isEqualTo("validation_failed");
        assertThat(ines.api().get("/v1/me").status()).isEqualTo(200);
    }

    @Test
    void lastOwnerOfOthersStays() {
        Tenant tenant = Tenant.signedUp(base, "team");
        tenant.join(base, "viewer", null);
        Answer refused = tenant.api().post("/v1/me/actions/delete", Map.of("email", tenant.email()));
        assertThat(refused.code()).isEqualTo("last_owner");
        assertThat(refused.text("params.organizations.0")).isEqualTo(tenant.org());
    }

    @Test
    void deletedPersonIsGoneAtOnceAndForGoodAfterAMonth() throws SQLException {
        Person ines = person("leaver");
        String org = ready(ines);
        String id = ines.api().get("/v1/me").text("user.id");
        Answer token = ines.api()
                .post(
                        "/v1/me/tokens",
                        Map.of("organization_id", org, "name", "t", "scopes", List.of("*")),
                        "Idempotency-Key",
                        "k");
        assertThat(delete(ines, ines.email()).code()).isEqualTo("has_dependents");
        PostgresResource.force("update account set state = 'deleted' where org_id = '" + org + "'");

        assertThat(delete(ines, ines.email()).status()).isEqualTo(204);

        assertThat(ines.api().get("/v1/me").status()).isEqualTo(401);
        assertThat(ApiClient.withToken(base, token.text("secret"))
                        .get("/v1/principal")
                        .code())
                .isEqualTo("token_revoked");
        assertThat(directory.findByEmail(ines.email()).orElseThrow().verified()).isFalse();
        assertThat(directory.sessionsEnded(ines.sub())).isTrue();
        assertThat(PostgresResource.dump()).contains("organization.closed");
        request(ines.email());
        PostgresResource.force(
                "update person_purge set purge_at = now() - interval '1 second' where user_id = '" + id + "'");
        Await.until(
                Duration.ofSeconds(60),
                () -> directory.findByEmail(ines.email()).isEmpty() ? ines : null);
        assertThat(bean(MockMailbox.class).getMailsSentTo(ines.email())).isEmpty();
        ApiClient again = new ApiClient(base).signIn(UUID.randomUUID().toString(), ines.email());
        assertThat(again.get("/v1/me").text("user.id")).isNotEqualTo(id);
    }

    @Test
    void signingUpAgainBringsThePersonBack() throws SQLException {
        Person ines = person("returner");
        String org = ready(ines);
        PostgresResource.force("update account set state = 'deleted' where org_id = '" + org + "'");
        assertThat(delete(ines, ines.email()).status()).isEqualTo(204);

        Answer signup = nobody().post("/v1/signup", Map.of("email", ines.email()));
        Matcher code =
                Pattern.compile("\\b(\\d{6})\\b").matcher(mail(ines.email(), 1).getText());
        assertThat(code.find()).isTrue();
        nobody().post(
                        "/v1/signup/" + signup.text("signup_id") + "/verify",
                        Map.of("code", code.group(1), "password", "the second password"));

        String fresh = ready(ines);
        assertThat(fresh).isNotEqualTo(org);
        assertThat(ines.api().get("/v1/orgs/" + org).status()).isEqualTo(404);
    }

    private String ready(Person person) {
        return Await.until(Duration.ofSeconds(60), () -> {
            Answer me = person.api().get("/v1/me");
            return "ready".equals(me.text("onboarding.bootstrap.state"))
                    ? me.text("onboarding.bootstrap.organization_id")
                    : null;
        });
    }

    private static Answer delete(Person person, String email) {
        return person.api().post("/v1/me/actions/delete", Map.of("email", email));
    }

    private Answer request(String email) {
        return nobody().post("/v1/password-reset", Map.of("email", email));
    }

    private Answer confirm(String token, String password) {
        return nobody().post("/v1/password-reset/confirm", Map.of("token", token, "password", password));
    }

    private String token(String email) {
        return token(mail(email, 1));
    }

    private static String token(Mail mail) {
        Matcher link = Pattern.compile("/reset-password#token=([\\w-]+)").matcher(mail.getText());
        assertThat(link.find()).isTrue();
        return link.group(1);
    }

    private static Mail mail(String email, int count) {
        return Await.until(Duration.ofSeconds(60), () -> {
            List<Mail> mails = bean(MockMailbox.class).getMailsSentTo(email);
            return mails.size() >= count ? mails.get(count - 1) : null;
        });
    }
}
