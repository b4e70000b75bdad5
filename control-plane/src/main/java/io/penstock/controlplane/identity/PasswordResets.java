package io.penstock.controlplane.identity;

import io.penstock.controlplane.audit.Audit;
import io.penstock.controlplane.identity.PasswordResetResource.PasswordResetDone;
import io.penstock.controlplane.org.Organizations;
import io.penstock.controlplane.tenancy.Principal;
import io.penstock.controlplane.tenancy.Tenancy;
import io.penstock.controlplane.web.Background;
import io.penstock.controlplane.web.ErrorCode;
import io.penstock.controlplane.web.Etags;
import io.penstock.controlplane.web.ProblemException;
import io.penstock.controlplane.web.Secrets;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A new password for who has the mail. Whether the address is known is looked at before the answer and acted on after it, so the answer
 * tells nothing. A link works once, for an hour; a newer one ends the older. Afterwards every session of the person ends.
 */
@ApplicationScoped
public class PasswordResets {
    static final Duration LIFE = Duration.ofHours(1);
    private static final Duration GAP = Duration.ofSeconds(60);
    private static final Duration DAY = Duration.ofDays(1);
    /** Mails to one address in a day. */
    private static final int MOST = 5;

    @Inject
    Tenancy tenancy;

    @Inject
    UserDirectory directory;

    @Inject
    Organizations organizations;

    @Inject
    PasswordMails mails;

    @Inject
    EntityManager database;

    @Inject
    Background background;

    @Inject
    Secrets secrets;

    @Inject
    Audit audit;

    @Inject
    Clock clock;

    private record Sent(int count, Instant first, Instant last) {}

    void request(String address) {
        String email = address.strip().toLowerCase(Locale.ROOT);
        Optional<UserDirectory.DirectoryUser> known = directory.findByEmail(email);
        background.run(
                "password reset",
                () -> known.filter(UserDirectory.DirectoryUser::verified).ifPresent(this::send));
    }

    private void send(UserDirectory.DirectoryUser user) {
        String email = user.email().toLowerCase(Locale.ROOT);
        String mac = HexFormat.of().formatHex(secrets.mac("password-reset", email));
        String token = secrets.token(32);
        boolean goes = tenancy.holding(mac, () -> note(mac, hash(token), user.id()));
        if (goes) {
            mails.reset(email, token);
        }
    }

    /** False when enough mails went out; nothing is said about that, as nothing is said about unknown addresses. */
    private boolean note(String mac, String hash, String directoryId) {
        Instant now = clock.instant();
        database.createNativeQuery("select pg_advisory_xact_lock(hashtextextended(?1, 0))", Object.class)
                .setParameter(1, mac)
                .getResultList();
        Sent before = sent(mac);
        boolean sameDay = before != null && now.isBefore(before.first().plus(DAY));
        if (before != null && (now.isBefore(before.last().plus(GAP)) || (sameDay && before.count() >= MOST))) {
            return false;
        }
        database.createNativeQuery("insert into password_reset (address_mac, secret_hash, directory_id, sent_count,"
                        + " first_sent_at, last_sent_at, expires_at) values (?1, ?2, ?3, ?4, ?5, ?6, ?7)"
                        + " on conflict (address_mac) do update set secret_hash = ?2, directory_id = ?3, sent_count = ?4,"
                        + " first_sent_at = ?5, last_sent_at = ?6, expires_at = ?7, used_at = null")
                .setParameter(1, mac)
                .setParameter(2, hash)
                .setParameter(3, directoryId)
                .setParameter(4, sameDay ? before.count() + 1 : 1)
                .setParameter(5, sameDay ? before.first() : now)
                .setParameter(6, now)
                .setParameter(7, now.plus(LIFE))
                .executeUpdate();
        return true;
    }

    private Sent sent(String mac) {
        List<?> rows = database.createNativeQuery(
                        "select sent_count, first_sent_at, last_sent_at from password_reset where address_mac = ?1")
                .setParameter(1, mac)
                .getResultList();
        return rows.stream()
                .map(row -> (Object[]) row)
                .map(row -> new Sent((Integer) row[0], (Instant) row[1], (Instant) row[2]))
                .findFirst()
                .orElse(null);
    }

    PasswordResetDone confirm(String token, String password) {
        String hash = hash(token);
        String sub = tenancy.holding(hash, () -> live(hash));
        // Refused here: the link still works for a better password.
        directory.replacePassword(sub, password);
        boolean first = tenancy.holding(hash, () -> use(hash));
        if (!first) {
            throw ended();
        }
        directory.endSessions(sub);
        String email = noted(sub);
        background.run("mail", () -> {
            if (!email.isEmpty()) {
                mails.changed(email);
            }
        });
        return new PasswordResetDone(
                "/auth/login?redirect=/&login_hint=" + URLEncoder.encode(email, StandardCharsets.UTF_8));
    }

    private String live(String hash) {
        List<?> rows = database.createNativeQuery("select directory_id from password_reset where secret_hash = ?1"
                        + " and used_at is null and expires_at > ?2")
                .setParameter(1, hash)
                .setParameter(2, clock.instant())
                .getResultList();
        return rows.stream().map(id -> (String) id).findFirst().orElseThrow(PasswordResets::ended);
    }

    private boolean use(String hash) {
        return database.createNativeQuery(
                                "update password_reset set used_at = ?2 where secret_hash = ?1 and used_at is null")
                        .setParameter(1, hash)
                        .setParameter(2, clock.instant())
                        .executeUpdate()
                == 1;
    }

    /** In the audit log of every organisation that the person belongs to. Returns the address, empty for who never signed in. */
    private String noted(String sub) {
        List<?> found = tenancy.asSubject(
                sub,
                "",
                () -> database.createNativeQuery(
                                "select id, email, name from app_user where sub = ?1 and deleted_at is null")
                        .setParameter(1, sub)
                        .getResultList());
        if (found.isEmpty()) {
            return "";
        }
        Object[] row = (Object[]) found.getFirst();
        Principal who = new Principal((String) row[0], sub, (String) row[1], (String) row[2]);
        organizations
                .memberships(who)
                .forEach(membership -> tenancy.onOrganization(who, membership.id(), scope -> {
                    audit.success(
                            scope,
                            "member.password_reset",
                            "/v1/orgs/" + scope.orgId() + "/members/" + who.userId(),
                            Map.of());
                    return null;
                }));
        return who.email();
    }

    private static ProblemException ended() {
        return ProblemException.of(
                ErrorCode.STATE_CONFLICT,
                "The link was used, replaced by a newer one, or is too old. Ask for a new one.");
    }

    private static String hash(String token) {
        return HexFormat.of().formatHex(Etags.sha256(token.getBytes(StandardCharsets.UTF_8)));
    }
}
