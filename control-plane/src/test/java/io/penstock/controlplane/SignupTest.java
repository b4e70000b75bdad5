package io.penstock.controlplane;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.controlplane.testing.ApiClient;
import io.penstock.controlplane.testing.ApiClient.Answer;
import io.penstock.controlplane.testing.Await;
import io.penstock.controlplane.testing.QuickProfile;
import io.penstock.controlplane.testing.TestingUserDirectory;
import io.quarkus.mailer.Mail;
import io.quarkus.mailer.MockMailbox;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

@QuarkusTest
@TestProfile(QuickProfile.class)
class SignupTest extends ApiTest {
    private static final String PASSWORD = "correct horse battery";

    private final MockMailbox mailbox = bean(MockMailbox.class);

    private final TestingUserDirectory directory = bean(TestingUserDirectory.class);

    @Test
    void codeOfTheMailVerifiesTheAddress() {
        String email = address();
        Answer signup = start(email);
        Mail mail = mail(email, 1);
        assertThat(directory.findByEmail(email).orElseThrow().verified()).isFalse();
        assertThat(mail.getHtml()).contains(code(mail));

        Answer verified = verify(signup, code(mail));

        assertThat(verified.status()).isEqualTo(200);
        assertThat(verified.text("login_url")).startsWith("/auth/login?redirect=/&login_hint=");
        assertThat(directory.findByEmail(email).orElseThrow().verified()).isTrue();
        assertThat(verify(signup, code(mail)).code()).isEqualTo("state_conflict");
    }

    @Test
    void linkVerifiesOnceAndOnlyByPost() {
        String email = address();
        start(email);
        Matcher link = Pattern.compile("/verify\\?token=([\\w-]+)")
                .matcher(mail(email, 1).getText());
        assertThat(link.find()).isTrue();
        ApiClient api = new ApiClient(base);

        assertThat(api.post("/v1/signup/verify-link", Map.of("token", link.group(1), "password", PASSWORD))
                        .status())
                .isEqualTo(200);
        assertThat(api.post("/v1/signup/verify-link", Map.of("token", link.group(1), "password", PASSWORD))
                        .code())
                .isEqualTo("state_conflict");
    }

    @Test
    void wrongCodesAreCountedAndEndTheCode() {
        String email = address();
        Answer signup = start(email);
        String code = code(mail(email, 1));
        String wrong = code.equals("000000") ? "111111" : "000000";

        for (int left = 4; left >= 0; left--) {
            Answer refused = verify(signup, wrong);
            assertThat(refused.code()).isEqualTo("validation_failed");
            assertThat(refused.text("params.tries_left")).isEqualTo(Integer.toString(left));
        }
        assertThat(verify(signup, code).code()).isEqualTo("state_conflict");
        assertThat(directory.findByEmail(email).orElseThrow().verified()).isFalse();
    }

    @Test
    void knownAddressGetsTheSameAnswerAndAnotherMail() {
        String email = address();
        verify(start(email), code(mail(email, 1)));

        Answer again = start(email);

        assertThat(again.status()).isEqualTo(202);
        Mail mail = mail(email, 2);
        assertThat(mail.getSubject()).contains("already");
        assertThat(verify(again, "000000").code()).isEqualTo("validation_failed");
        String id = directory.findByEmail(email).orElseThrow().id();
        assertThat(directory.isPassword(id, PASSWORD)).isTrue();
    }

    @Test
    void newerSignupTakesThePlaceOfAnUnverifiedOne() {
        String email = address();
        Answer first = start(email);
        String firstCode = code(mail(email, 1));
        Answer second = start(email);
        String secondCode = code(mail(email, 2));

        assertThat(verify(first, firstCode).code()).isEqualTo("state_conflict");
        assertThat(verify(second, secondCode).status()).isEqualTo(200);
        String id = directory.findByEmail(email).orElseThrow().id();
        assertThat(directory.isPassword(id, PASSWORD)).isTrue();
    }

    /** Whoever fills in the form with somebody else's address must not get in when that person confirms. */
    @Test
    void passwordIsThatOfWhoHasTheMail() {
        String email = address();
        Answer attackers = start(email);
        Mail mail = mail(email, 1);
        String id = directory.findByEmail(email).orElseThrow().id();
        assertThat(directory.hasPassword(id))
                .as("nothing to sign in with before the mail")
                .isFalse();

        assertThat(new ApiClient(base)
                        .post("/v1/signup/" + attackers.text("signup_id") + "/verify", Map.of("code", code(mail)))
                        .code())
                .isEqualTo("validation_failed");
        assertThat(verify(attackers, code(mail), TestingUserDirectory.REFUSED + " 1")
                        .text("invalid_parameters.0.field"))
                .isEqualTo("password");
        assertThat(directory.findByEmail(email).orElseThrow().verified()).isFalse();
        assertThat(verify(attackers, code(mail), "the victim's own words").status())
                .as("a refused password does not use the code up")
                .isEqualTo(200);
        assertThat(directory.isPassword(id, "the victim's own words")).isTrue();
    }

    @Test
    void resendWaitsAMinute() {
        Answer signup = start(address());
        Answer refused = Await.until(Duration.ofSeconds(60), () -> {
            Answer tried = new ApiClient(base).post("/v1/signup/" + signup.text("signup_id") + "/resend", null);
            return "state_conflict".equals(tried.code()) ? null : tried;
        });

        assertThat(refused.code()).isEqualTo("rate_limited");
        assertThat(refused.header("Retry-After")).isNotNull();
    }

    @Test
    void wrongAddressAndUnknownFieldAreRefused() {
        ApiClient api = new ApiClient(base);
        assertThat(api.post("/v1/signup", Map.of("email", "nobody")).code()).isEqualTo("validation_failed");
        assertThat(api.post("/v1/signup", Map.of("email", address(), "password", PASSWORD))
                        .code())
                .isEqualTo("unknown_field");
        assertThat(api.post("/v1/signup", "{").code()).isEqualTo("invalid_request");
    }

    @Test
    void otherSitesAreRefused() {
        Answer refused =
                new ApiClient(base).post("/v1/signup", Map.of("email", address()), "Origin", "http://evil.test");
        assertThat(refused.code()).isEqualTo("csrf_failed");
    }

    private Answer start(String email) {
        Answer answer = new ApiClient(base).post("/v1/signup", Map.of("email", email, "organization_name", "Meridian"));
        assertThat(answer.status()).isEqualTo(202);
        return answer;
    }

    private Answer verify(Answer signup, String code) {
        return verify(signup, code, PASSWORD);
    }

    private Answer verify(Answer signup, String code, String password) {
        return new ApiClient(base)
                .post("/v1/signup/" + signup.text("signup_id") + "/verify", Map.of("code", code, "password", password));
    }

    private Mail mail(String email, int count) {
        return Await.until(Duration.ofSeconds(60), () -> {
            List<Mail> mails = mailbox.getMailsSentTo(email);
            return mails.size() >= count ? mails.get(count - 1) : null;
        });
    }

    private static String code(Mail mail) {
        Matcher code = Pattern.compile("\\b(\\d{6})\\b").matcher(mail.getText());
        assertThat(code.find()).isTrue();
        return code.group(1);
    }

    private static String address() {
        return "p-" + UUID.randomUUID().toString().substring(0, 8) + "@signup.test";
    }
}
