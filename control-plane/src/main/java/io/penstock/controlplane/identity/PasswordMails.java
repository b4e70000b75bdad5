package io.penstock.controlplane.identity;

import io.penstock.controlplane.mail.Mails;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;

/** The mails about passwords. Text of users is not in them, so there is nothing to escape. */
@ApplicationScoped
public class PasswordMails {
    @Inject
    Mails mails;

    void reset(String to, String token) {
        // In the fragment, which no server and no log on the way gets to see.
        String link = mails.link("/reset-password#token=" + token);
        String text = """
                Somebody, probably you, asked for a new password for Penstock.

                Open this link within an hour to choose one:
                %s

                If it was not you, ignore this mail: the password stays as it is.
                """.formatted(link);
        String html = "<p>Somebody, probably you, asked for a new password. The link works for an hour.</p>"
                + Mails.button(link, "Choose a new password")
                + Mails.note("If it was not you, ignore this mail: the password stays as it is.");
        mails.send(to, "A new password for Penstock", text, "Choose a new password", html);
    }

    void changed(String to) {
        String link = mails.link("/forgot-password");
        String text = """
                The password of your Penstock account was changed, and all sessions were ended.

                If it was not you, choose another one now: %s
                """.formatted(link);
        String html = "<p>The password of your account was changed, and all sessions were ended.</p>"
                + Mails.note("If it was not you, choose another one now: <a href=\"" + link + "\">" + link + "</a>");
        mails.send(to, "Your Penstock password was changed", text, "Your password was changed", html);
    }
}
