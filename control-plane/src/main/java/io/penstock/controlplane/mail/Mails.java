package io.penstock.controlplane.mail;

import io.quarkus.mailer.Mail;
import io.quarkus.mailer.Mailer;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/** Sends mails in our dress, as text and HTML, with a few tries. Blocks: not on the way of an answer. */
@ApplicationScoped
public class Mails {
    private static final Logger LOG = Logger.getLogger(Mails.class);
    private static final int ATTEMPTS = 3;

    @Inject
    Mailer mailer;

    @ConfigProperty(name = "penstock.public-url")
    URI publicUrl;

    /** `html` is what stands below the title; text of users in it must be {@link #escaped}. */
    public void send(String to, String subject, String text, String title, String html) {
        Mail mail = Mail.withText(to, subject, text).setHtml(page(title, html));
        for (int attempt = 1; ; attempt++) {
            try {
                mailer.send(mail);
                return;
            } catch (RuntimeException failed) {
                LOG.warnf("a mail was not sent, attempt %d of %d: %s", attempt, ATTEMPTS, failed.toString());
                if (attempt == ATTEMPTS) {
                    return;
                }
                LockSupport.parkNanos(Duration.ofSeconds(2L * attempt).toNanos());
            }
        }
    }

    /** An address of the console. */
    public String link(String path) {
        return publicUrl.getScheme() + "://" + publicUrl.getAuthority() + path;
    }

    public static String button(String link, String label) {
        return """
                <p><a href="%s" style="display:inline-block;background:#0A5F7D;color:#fff;text-decoration:none;\
                padding:10px 18px;border-radius:4px">%s</a></p>
                """.formatted(link, label);
    }

    public static String note(String text) {
        return "<p style=\"color:#586A70\">" + text + "</p>";
    }

    public static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
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
