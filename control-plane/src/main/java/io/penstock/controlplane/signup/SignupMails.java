package io.penstock.controlplane.signup;

import io.quarkus.mailer.Mail;
import io.quarkus.mailer.Mailer;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.net.URI;
import java.time.Duration;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/** The mails of sign-up, as text and HTML. User text is not in them, so there is nothing to escape. */
@ApplicationScoped
public class SignupMails {
    private static final Logger LOG = Logger.getLogger(SignupMails.class);
    private static final int ATTEMPTS = 3;

    @Inject
    Mailer mailer;

    @ConfigProperty(name = "penstock.public-url")
    URI publicUrl;

    void proof(String to, String code, String token) {
        String link = base() + "/verify?token=" + token;
        String text = """
                Your code for Penstock is %s

                It works for 10 minutes. Or open this link within 24 hours, on any device:
                %s

                If you did not sign up, ignore this mail: nothing happens without the code.
                """.formatted(code, link);
        String html = page("Confirm your address", """
                <p>Your code for Penstock is</p>
                <p style="font:600 30px/40px ui-monospace,monospace;letter-spacing:.14em;margin:8px 0 20px">%s</p>
                <p>It works for 10 minutes. Or open this link within 24 hours, on any device:</p>
                <p><a href="%s" style="display:inline-block;background:#0A5F7D;color:#fff;text-decoration:none;\
                padding:10px 18px;border-radius:4px">Confirm address</a></p>
                <p style="color:#586A70">If you did not sign up, ignore this mail: nothing happens without the code.</p>
                """.formatted(code, link));
        send(Mail.withText(to, code + " is your Penstock code", text).setHtml(html));
    }

    void alreadyKnown(String to) {
        String link = base() + "/auth/login?redirect=/";
        String text = """
                Somebody, probably you, signed up to Penstock with this address. You have an account already.

                Sign in: %s

                If it was not you, there is nothing to do: nothing was changed.
                """.formatted(link);
        String html = page("You have an account already", """
                <p>Somebody, probably you, signed up to Penstock with this address.</p>
                <p><a href="%s" style="display:inline-block;background:#0A5F7D;color:#fff;text-decoration:none;\
                padding:10px 18px;border-radius:4px">Sign in</a></p>
                <p style="color:#586A70">If it was not you, there is nothing to do: nothing was changed.</p>
                """.formatted(link));
        send(Mail.withText(to, "You have a Penstock account already", text).setHtml(html));
    }

    private void send(Mail mail) {
        for (int attempt = 1; ; attempt++) {
            try {
                mailer.send(mail);
                return;
            } catch (RuntimeException failed) {
                LOG.warnf("a mail was not sent, attempt %d of %d: %s", attempt, ATTEMPTS, failed.toString());
                if (attempt == ATTEMPTS) {
                    return;
                }
                pause(Duration.ofSeconds(2L * attempt));
            }
        }
    }

    private static void pause(Duration time) {
        java.util.concurrent.locks.LockSupport.parkNanos(time.toNanos());
    }

    private String base() {
        return publicUrl.getScheme() + "://" + publicUrl.getAuthority();
    }

    private static String page(String title, String body) {
        return """
                <!doctype html><html lang="en"><body style="margin:0;background:#F1F4F4;color:#0F242C;\
                font:15px/24px system-ui,sans-serif"><div style="max-width:520px;margin:0 auto;padding:32px 24px">\
                <p style="font-weight:600">Penstock</p><div style="background:#fff;border:1px solid #D9E0E0;\
                border-radius:8px;padding:24px 28px"><h1 style="font-size:20px;line-height:28px;margin:0 0 12px">%s</h1>%s\
                </div></div></body></html>
                """.formatted(title, body);
    }
}
