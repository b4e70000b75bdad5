package io.penstock.controlplane.signup;

import io.penstock.controlplane.identity.Persons;
import io.penstock.controlplane.identity.UserDirectory;
import io.penstock.controlplane.signup.SignupResource.Signup;
import io.penstock.controlplane.signup.SignupResource.SignupRequest;
import io.penstock.controlplane.signup.SignupResource.SignupVerified;
import io.penstock.controlplane.tenancy.Tenancy;
import io.penstock.controlplane.web.Background;
import io.penstock.controlplane.web.ErrorCode;
import io.penstock.controlplane.web.Ids;
import io.penstock.controlplane.web.ProblemException;
import io.penstock.controlplane.web.Secrets;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jboss.logging.Logger;

/**
 * Sign-up: a disabled user at the identity provider, a mail with a code and a link, and the user enabled once one of them comes
 * back. What depends on whether the address is known happens after the answer, so the answer tells nothing.
 */
@ApplicationScoped
public class Signups {
    static final Duration CODE_LIFE = Duration.ofMinutes(10);
    static final Duration LINK_LIFE = Duration.ofHours(24);
    static final Duration RESEND_GAP = Duration.ofSeconds(60);
    static final int MAX_TRIES = 5;
    /** The first mail and five more. */
    static final int MAX_SENT = 6;

    /** Tries to make the user at the identity provider. */
    private static final int ATTEMPTS = 4;

    private static final Duration RETRY_GAP = Duration.ofSeconds(2);

    private static final Logger LOG = Logger.getLogger(Signups.class);

    @Inject
    Tenancy tenancy;

    @Inject
    SignupRepository signups;

    @Inject
    UserDirectory directory;

    @Inject
    Persons persons;

    @Inject
    SignupMails mails;

    @Inject
    Secrets secrets;

    @Inject
    Ids ids;

    @Inject
    Clock clock;

    @Inject
    Background background;

    private record Proof(String code, String token) {}

    Signup start(SignupRequest form) {
        String email = normalised(form.email());
        // Asked before the answer, for every address alike, so that an identity provider that is down shows as 503.
        Optional<UserDirectory.DirectoryUser> known = directory.findByEmail(email);
        Instant now = clock.instant();
        SignupEntity row = tenancy.anonymous(() -> {
            SignupEntity fresh = new SignupEntity();
            fresh.id = ids.next("sup");
            fresh.email = email;
            fresh.organizationName = form.organizationName();
            fresh.state(SignupState.PREPARING);
            fresh.linkExpiresAt = now.plus(LINK_LIFE);
            fresh.lastSentAt = now;
            fresh.createdAt = now;
            signups.persist(fresh);
            return fresh;
        });
        background.run("sign-up", () -> prepare(row.id, email, known));
        return view(row);
    }

    private void prepare(String id, String email, Optional<UserDirectory.DirectoryUser> known) {
        Optional<UserDirectory.DirectoryUser> user = known;
        for (int attempt = 1; ; attempt++) {
            try {
                prepareOnce(id, email, user);
                return;
            } catch (ProblemException refused) {
                fail(id, refused);
                return;
            } catch (RuntimeException failed) {
                if (attempt == ATTEMPTS) {
                    fail(id, failed);
                    return;
                }
                LOG.warnf("sign-up %s, attempt %d: %s", id, attempt, failed.toString());
                LockSupport.parkNanos(RETRY_GAP.toNanos());
                // The lost answer may have been a success, so the next attempt starts from what is there.
                user = found(email).or(() -> known);
            }
        }
    }

    private Optional<UserDirectory.DirectoryUser> found(String email) {
        try {
            return directory.findByEmail(email);
        } catch (RuntimeException unreachable) {
            return Optional.empty();
        }
    }

    private void fail(String id, RuntimeException cause) {
        LOG.errorf("sign-up %s cannot be prepared: %s", id, cause.toString());
        settle(id, SignupState.FAILED, null, null);
    }

    private void prepareOnce(String id, String email, Optional<UserDirectory.DirectoryUser> known) {
        if (known.isPresent() && known.get().verified()) {
            settle(id, SignupState.KNOWN, known.get().id(), null);
            mails.alreadyKnown(email);
            return;
        }
        String user = known.map(UserDirectory.DirectoryUser::id).orElseGet(() -> directory.createUnverified(email));
        Proof proof = new Proof(secrets.code(), secrets.token(32));
        settle(id, SignupState.PENDING, user, proof);
        mails.proof(email, proof.code(), proof.token());
    }

    private void settle(String id, SignupState state, String directoryId, Proof proof) {
        tenancy.anonymous(() -> {
            SignupEntity row = signups.locked(id).orElseThrow();
            row.state(state);
            row.directoryId = directoryId;
            row.sentCount = 1;
            row.lastSentAt = clock.instant();
            if (proof != null) {
                arm(row, proof);
                signups.flush();
                signups.supersede(row.email, row.id);
            }
            return null;
        });
    }

    private void arm(SignupEntity row, Proof proof) {
        row.codeHash = codeHash(row.id, proof.code());
        row.codeExpiresAt = clock.instant().plus(CODE_LIFE);
        row.codeTries = 0;
        row.linkHash = secrets.mac("signup-link", proof.token());
        row.linkExpiresAt = clock.instant().plus(LINK_LIFE);
    }

    /** What a try of a code led to. The count of tries must be kept, so a wrong code is a value and not an exception. */
    private record Tried(SignupEntity row, int triesLeft, boolean ended) {}

    SignupVerified verifyCode(String id, String given, String password) {
        String code = given.replaceAll("[\\s-]", "");
        Tried tried = tenancy.anonymous(() -> {
            SignupEntity row = signups.locked(id).orElseThrow(ProblemException::notFound);
            if (row.state() == SignupState.VERIFIED) {
                return new Tried(null, 0, true);
            }
            boolean ended = row.state() == SignupState.SUPERSEDED
                    || row.codeTries >= MAX_TRIES
                    || clock.instant().isAfter(codeEnd(row));
            if (ended) {
                return new Tried(null, 0, true);
            }
            boolean fits =
                    row.state() == SignupState.PENDING && MessageDigest.isEqual(row.codeHash, codeHash(row.id, code));
            if (fits) {
                return new Tried(row, 0, false);
            }
            row.codeTries++;
            return new Tried(null, MAX_TRIES - row.codeTries, false);
        });
        if (tried.ended()) {
            throw ProblemException.of(
                    ErrorCode.STATE_CONFLICT, "The code has ended or was tried too often. Ask for a new one.");
        }
        if (tried.row() == null) {
            throw ProblemException.invalidField(
                            ErrorCode.VALIDATION_FAILED, "code", "match", "this is not the code of the newest mail")
                    .param("tries_left", tried.triesLeft());
        }
        return finish(tried.row(), password);
    }

    SignupVerified verifyLink(String token, String password) {
        SignupEntity row = tenancy.anonymous(() -> {
            SignupEntity found =
                    signups.lockedByLink(secrets.mac("signup-link", token)).orElseThrow(ProblemException::notFound);
            boolean live =
                    found.state() == SignupState.PENDING && clock.instant().isBefore(found.linkExpiresAt);
            if (!live) {
                throw ProblemException.of(
                        ErrorCode.STATE_CONFLICT, "The link was used, replaced by a newer one, or is too old.");
            }
            return found;
        });
        return finish(row, password);
    }

    /**
     * Who has the mail chooses the password, here and not before: whoever filled in the form with somebody else's address is left with
     * nothing. The password and the user come first, so that the code still works when one of them is refused.
     */
    private SignupVerified finish(SignupEntity row, String password) {
        directory.replacePassword(row.directoryId, password);
        directory.markVerified(row.directoryId);
        persons.cameBack(row.directoryId);
        tenancy.anonymous(() -> {
            signups.locked(row.id).orElseThrow().state(SignupState.VERIFIED);
            return null;
        });
        return new SignupVerified(
                "/auth/login?redirect=/&login_hint=" + URLEncoder.encode(row.email, StandardCharsets.UTF_8));
    }

    Signup resend(String id) {
        Proof proof = new Proof(secrets.code(), secrets.token(32));
        SignupEntity row = tenancy.anonymous(() -> {
            SignupEntity found = signups.locked(id).orElseThrow(ProblemException::notFound);
            requireResendable(found);
            found.sentCount++;
            found.lastSentAt = clock.instant();
            if (found.state() == SignupState.PENDING) {
                arm(found, proof);
            }
            return found;
        });
        background.run("mail", () -> {
            if (row.state() == SignupState.PENDING) {
                mails.proof(row.email, proof.code(), proof.token());
            } else {
                mails.alreadyKnown(row.email);
            }
        });
        return view(row);
    }

    private void requireResendable(SignupEntity row) {
        SignupState state = row.state();
        if (state != SignupState.PENDING && state != SignupState.KNOWN) {
            throw ProblemException.of(
                    ErrorCode.STATE_CONFLICT, "This sign-up has ended. Fill in the form again, or sign in.");
        }
        long wait = Duration.between(clock.instant(), row.lastSentAt.plus(RESEND_GAP))
                .toSeconds();
        if (wait > 0 || row.sentCount >= MAX_SENT) {
            long seconds = wait > 0 ? wait : Duration.ofDays(1).toSeconds();
            throw ProblemException.of(
                            ErrorCode.RATE_LIMITED, "A mail goes out once a minute and five times more at most.")
                    .header("Retry-After", Long.toString(seconds));
        }
    }

    private Signup view(SignupEntity row) {
        return new Signup(row.id, row.email, row.lastSentAt.plus(RESEND_GAP), row.linkExpiresAt);
    }

    private static Instant codeEnd(SignupEntity row) {
        return row.codeExpiresAt == null ? row.lastSentAt.plus(CODE_LIFE) : row.codeExpiresAt;
    }

    private byte[] codeHash(String id, String code) {
        return secrets.mac("signup-code", id + "\n" + code);
    }

    static String normalised(String email) {
        return email.trim().toLowerCase(Locale.ROOT);
    }
}
