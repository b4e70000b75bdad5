package io.penstock.controlplane.signup;

import io.penstock.controlplane.mail.Mails;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;

/** The mails of sign-up. Text of users is not in them, so there is nothing to escape. */
@ApplicationScoped
public class SignupMails {
    @Inject
    Mails mails;

    void proof(String to, String code, String token) {
        String link = mails.link("/verify?token=" + token);
        String text = """
                Your code for Penstock is %s

                It works for 10 minutes. Or open this link within 24 hours, on any device:
                %s

                If you did not sign up, ignore this mail: nothing happens without the code.
                """.formatted(code, link);
        String html = """
                <p>Your code for Penstock is</p>
                <p style="font:600 30px/40px ui-monospace,monospace;letter-spacing:.14em;margin:8px 0 20px">%s</p>
                <p>It works for 10 minutes. Or open this link within 24 hours, on any device:</p>
                """.formatted(code)
                + Mails.button(link, "Confirm address")
                + Mails.note("If you did not sign up, ignore this mail: nothing happens without the code.");
        mails.send(to, code + " is your Penstock code", text, "Confirm your address", html);
    }

    void alreadyKnown(String to) {
        String link = mails.link("/auth/login?redirect=/");
        String text = """
                Somebody, probably you, signed up to Penstock with this address. You have an account already.

                Sign in: %s

                If it was not you, there is nothing to do: nothing was changed.
                """.formatted(link);
        String html = "<p>Somebody, probably you, signed up to Penstock with this address.</p>"
                + Mails.button(link, "Sign in")
                + Mails.note("If it was not you, there is nothing to do: nothing was changed.");
        mails.send(to, "You have a Penstock account already", text, "You have an account already", html);
    }
}
