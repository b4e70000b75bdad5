package io.penstock.controlplane.access;

import io.penstock.controlplane.mail.Mails;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;

/** The mail of an invitation. The names in it are texts of users. */
@ApplicationScoped
public class InvitationMails {
    @Inject
    Mails mails;

    void invite(String to, String organization, String inviter, String role, String token) {
        // In the fragment, which no server and no log on the way gets to see.
        String link = mails.link("/invitation#token=" + token);
        String subject = "Invitation to " + oneLine(organization) + " on Penstock";
        String text = """
                %s invites you to the organisation %s on Penstock, as %s.

                Open this link within 7 days and sign in, or sign up, with this very address:
                %s

                If you do not know what this is about, ignore this mail.
                """.formatted(oneLine(inviter), oneLine(organization), role, link);
        String html = "<p>" + Mails.escaped(inviter) + " invites you to the organisation <b>"
                + Mails.escaped(organization) + "</b>, as " + role + ".</p>"
                + Mails.button(link, "See the invitation")
                + Mails.note(
                        "It is open for 7 days. Sign in, or sign up, with this very address. If you do not know what"
                                + " this is about, ignore this mail.");
        mails.send(to, subject, text, "You are invited", html);
    }

    private static String oneLine(String text) {
        return text.replaceAll("\\p{Cntrl}+", " ");
    }
}
