package io.penstock.controlplane.access;

import io.penstock.controlplane.access.InvitationResource.InvitationAccepted;
import io.penstock.controlplane.access.InvitationResource.InvitationCreate;
import io.penstock.controlplane.access.InvitationResource.InvitationPreview;
import io.penstock.controlplane.audit.Audit;
import io.penstock.controlplane.org.OrganizationRepository;
import io.penstock.controlplane.project.ProjectRepository;
import io.penstock.controlplane.tenancy.Locator;
import io.penstock.controlplane.tenancy.Principal;
import io.penstock.controlplane.tenancy.Rights;
import io.penstock.controlplane.tenancy.Role;
import io.penstock.controlplane.tenancy.Scope;
import io.penstock.controlplane.tenancy.Tenancy;
import io.penstock.controlplane.web.Background;
import io.penstock.controlplane.web.ErrorCode;
import io.penstock.controlplane.web.Ids;
import io.penstock.controlplane.web.ProblemException;
import io.penstock.controlplane.web.Secrets;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;

/** Invites people by mail. The link alone is not enough: the session's own address must be the invited one. */
@ApplicationScoped
public class Invitations {
    static final Duration LIFE = Duration.ofDays(7);
    static final Duration RESEND_GAP = Duration.ofSeconds(60);
    /** The first mail and five more. */
    static final int MAX_SENT = 6;

    @Inject
    Tenancy tenancy;

    @Inject
    InvitationRepository invitations;

    @Inject
    OrganizationRepository organizations;

    @Inject
    ProjectRepository projects;

    @Inject
    RoleAssignmentRepository assignments;

    @Inject
    RoleAssignments roles;

    @Inject
    Members members;

    @Inject
    PrincipalNames names;

    @Inject
    InvitationMails mails;

    @Inject
    Locator locator;

    @Inject
    Background background;

    @Inject
    Secrets secrets;

    @Inject
    Audit audit;

    @Inject
    Ids ids;

    @Inject
    Clock clock;

    /** A row and the mail that is to go out when its transaction has ended. */
    record Sent(InvitationEntity row, Runnable mail) {}

    Sent create(Scope scope, InvitationCreate form) {
        Role role = RoleAssignmentResource.role(form.role());
        String project = project(scope, form.projectId());
        roles.requireMayGive(scope, role, project);
        String email = form.email().strip().toLowerCase(Locale.ROOT);
        if (names.memberByEmail(scope, email).isPresent()) {
            throw ProblemException.of(
                    ErrorCode.ALREADY_EXISTS, "The address belongs to a member already. Give the role to that member.");
        }
        Instant now = clock.instant();
        endExpired(scope, email, now);
        String token = secrets.token(32);
        InvitationEntity row = new InvitationEntity();
        row.id = ids.next("inv");
        row.orgId = scope.orgId();
        row.email = email;
        row.role = role.code();
        row.projectId = project;
        row.state(InvitationState.PENDING);
        row.secretHash = TokenFormat.hash(token);
        row.inviterId = scope.principal().userId();
        row.inviterName = scope.principal().label();
        row.sentCount = 1;
        row.lastSentAt = now;
        row.createdAt = now;
        row.expiresAt = now.plus(LIFE);
        invitations.persistAndFlush(row);
        locator.add(row.id, scope.orgId());
        audit.success(scope, "invitation.created", resource(row), details(row));
        return new Sent(row, mail(scope, row, token));
    }

    private String project(Scope scope, String id) {
        if (id != null
                && projects.find("orgId = ?1 and id = ?2", scope.orgId(), id).count() == 0) {
            throw ProblemException.invalidField(
                    ErrorCode.VALIDATION_FAILED, "project_id", "exists", "the organisation has no such project");
        }
        return id;
    }

    /** One that ran out must not stand in the way of a new one. */
    private void endExpired(Scope scope, String email, Instant now) {
        invitations.update(
                "state = 'revoked' where orgId = ?1 and email = ?2 and state = 'pending' and expiresAt <= ?3",
                scope.orgId(),
                email,
                now);
    }

    Sent resend(Scope scope, String id) {
        InvitationEntity row = invitations.locked(scope, id);
        requireOpen(row.state(clock.instant()), true);
        roles.requireMayGive(scope, row.role(), row.projectId);
        Instant now = clock.instant();
        long wait = Duration.between(now, row.lastSentAt.plus(RESEND_GAP)).toSeconds();
        if (wait > 0 || row.sentCount >= MAX_SENT) {
            long seconds = wait > 0 ? wait : Duration.ofDays(1).toSeconds();
            throw ProblemException.of(
                            ErrorCode.RATE_LIMITED, "A mail goes out once a minute and five times more at most.")
                    .header("Retry-After", Long.toString(seconds));
        }
        String token = secrets.token(32);
        row.secretHash = TokenFormat.hash(token);
        row.sentCount++;
        row.lastSentAt = now;
        row.expiresAt = now.plus(LIFE);
        invitations.flush();
        audit.success(scope, "invitation.sent_again", resource(row), details(row));
        return new Sent(row, mail(scope, row, token));
    }

    void revoke(Scope scope, InvitationEntity row) {
        InvitationState state = row.state(clock.instant());
        if (state == InvitationState.REVOKED) {
            return;
        }
        requireOpen(state, true);
        row.state(InvitationState.REVOKED);
        invitations.flush();
        audit.success(scope, "invitation.revoked", resource(row), details(row));
    }

    InvitationPreview preview(String token) {
        return bySecret(
                token,
                (row, org) -> new InvitationPreview(
                        organizations.findById(org).name, row.email, row.role, row.inviterName, row.expiresAt));
    }

    /** Checks again what may have changed since the mail: the inviter's rights, the organisation, the invitation itself. */
    InvitationAccepted accept(Principal who, String token) {
        return bySecret(token, (row, org) -> {
            if (!row.email.equals(who.email().toLowerCase(Locale.ROOT))) {
                throw ProblemException.of(
                        ErrorCode.PERMISSION_DENIED,
                        "The invitation is for another address. Sign in with the address that the mail came to.");
            }
            Rights inviter = assignments.rights(org, row.inviterId);
            if (!RoleAssignments.mayGive(inviter, row.role(), row.projectId)) {
                throw ProblemException.of(
                        ErrorCode.STATE_CONFLICT,
                        "Who invited you can no longer give this role. Ask for a new invitation.");
            }
            Scope scope = new Scope(org, null, who, Rights.NONE);
            members.add(scope, who);
            boolean has = assignments.of(org, who.userId()).stream()
                    .anyMatch(
                            one -> one.role() == row.role() && java.util.Objects.equals(one.projectId, row.projectId));
            if (!has) {
                roles.give(scope, Principal.Kind.USER, who.userId(), row.role(), row.projectId);
            }
            row.state(InvitationState.ACCEPTED);
            row.acceptedAt = clock.instant();
            row.acceptedBy = who.userId();
            invitations.flush();
            audit.success(scope, "member.joined", "/v1/orgs/" + org + "/members/" + who.userId(), details(row));
            return new InvitationAccepted(org, organizations.findById(org).name, row.role);
        });
    }

    /** With the row locked, so that of accepting twice, or accepting and revoking, one comes first. */
    private <T> T bySecret(String token, BiFunction<InvitationEntity, String, T> work) {
        String hash = TokenFormat.hash(token);
        return tenancy.bySecret(hash, () -> invitations.organizationOf(hash), org -> {
                    InvitationEntity row = invitations.lockedBySecret(hash).orElseThrow(ProblemException::notFound);
                    requireOpen(row.state(clock.instant()), false);
                    if (!"active".equals(organizations.findById(org).state)) {
                        throw ProblemException.of(ErrorCode.STATE_CONFLICT, "The organisation is not active.");
                    }
                    return work.apply(row, org);
                })
                .orElseThrow(ProblemException::notFound);
    }

    private static void requireOpen(InvitationState state, boolean evenExpired) {
        String why = switch (state) {
            case PENDING -> null;
            case EXPIRED -> evenExpired ? null : "The invitation is too old. Ask for it to be sent again.";
            case ACCEPTED -> "The invitation was accepted.";
            case REVOKED -> "The invitation was taken back.";
        };
        if (why != null) {
            throw ProblemException.of(ErrorCode.STATE_CONFLICT, why).param("state", state.code());
        }
    }

    private Runnable mail(Scope scope, InvitationEntity row, String token) {
        String organization = organizations.findById(scope.orgId()).name;
        String to = row.email;
        String inviter = row.inviterName;
        String role = row.role;
        return () -> background.run("mail", () -> mails.invite(to, organization, inviter, role, token));
    }

    private static String resource(InvitationEntity row) {
        return "/v1/invitations/" + row.id;
    }

    private static Map<String, Object> details(InvitationEntity row) {
        Map<String, Object> out = new LinkedHashMap<>();
        out.put("email", row.email);
        out.put("role", row.role);
        out.put("project_id", row.projectId);
        return out;
    }
}
