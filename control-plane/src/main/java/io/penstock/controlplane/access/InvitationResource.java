package io.penstock.controlplane.access;

import io.penstock.controlplane.access.PrincipalNames.PrincipalRef;
import io.penstock.controlplane.tenancy.Permission;
import io.penstock.controlplane.tenancy.Tenancy;
import io.penstock.controlplane.web.Bodies;
import io.penstock.controlplane.web.Etags;
import io.penstock.controlplane.web.Idempotency;
import io.penstock.controlplane.web.Paging;
import io.penstock.controlplane.web.Public;
import io.penstock.controlplane.web.RequestInfo;
import io.penstock.controlplane.web.Requires;
import io.penstock.controlplane.web.Self;
import io.penstock.controlplane.web.Shown;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.inject.Inject;
import jakarta.validation.constraints.Email;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.time.Clock;
import java.time.Instant;

/** Invitations. */
@Path("/v1")
@Produces("application/json")
@RunOnVirtualThread
public class InvitationResource {
    @Inject
    RequestInfo request;

    @Inject
    Tenancy tenancy;

    @Inject
    InvitationRepository rows;

    @Inject
    Invitations invitations;

    @Inject
    Paging paging;

    @Inject
    Bodies bodies;

    @Inject
    Idempotency idempotency;

    @Inject
    Clock clock;

    /** An invitation as it is shown. */
    public record Invitation(
            String id,
            String organizationId,
            String projectId,
            String email,
            String role,
            String state,
            PrincipalRef invitedBy,
            Instant createdAt,
            Instant expiresAt,
            Instant lastSentAt,
            Instant acceptedAt,
            String etag)
            implements Shown {}

    /** A new invitation. */
    public record InvitationCreate(
            @NotNull(message = "an e-mail address is needed")
            @Email(message = "this is not an e-mail address")
            @Size(max = 254, message = "at most 254 characters")
            String email,

            @NotNull(message = "a role is needed") String role,

            @Size(max = 64, message = "at most 64 characters")
            String projectId) {}

    /** The secret of a mail's link. */
    public record InvitationToken(
            @NotNull(message = "the token is needed") @Size(min = 20, max = 100, message = "take the whole link")
            String token) {
        @Override
        public String toString() {
            return "InvitationToken";
        }
    }

    /** What the link leads to. */
    public record InvitationPreview(
            String organizationName, String email, String role, String invitedBy, Instant expiresAt) {}

    /** Where one belongs now. */
    public record InvitationAccepted(String organizationId, String organizationName, String role) {}

    @GET
    @Requires(Permission.MEMBERS_READ)
    @Path("/orgs/{org}/invitations")
    public Paging.Page<Invitation> list(@PathParam("org") String org, @Context UriInfo uri) {
        Paging.Window window = paging.window(uri);
        return tenancy.onOrganization(
                request.principal(),
                org,
                scope -> paging.page(
                        window, rows.newest(scope, "orgId", scope.orgId(), window), row -> row.id, this::view));
    }

    @POST
    @Requires(Permission.MEMBERS_WRITE)
    @Path("/orgs/{org}/invitations")
    @Consumes("application/json")
    public Response create(@PathParam("org") String org, byte[] body) {
        InvitationCreate form = bodies.read(body, InvitationCreate.class);
        return idempotency.once(body, () -> {
            Invitations.Sent sent =
                    tenancy.onOrganization(request.principal(), org, scope -> invitations.create(scope, form));
            sent.mail().run();
            Invitation made = view(sent.row());
            return Idempotency.Answer.created("/v1/invitations/", made);
        });
    }

    @GET
    @Requires(Permission.MEMBERS_READ)
    @Path("/invitations/{invitation}")
    public Response get(@PathParam("invitation") String id) {
        Invitation found = tenancy.onResource(request.principal(), id, scope -> view(rows.get(scope, id)));
        return Etags.answer(found);
    }

    @POST
    @Requires(Permission.MEMBERS_WRITE)
    @Path("/invitations/{invitation}/actions/resend")
    public Invitation resend(@PathParam("invitation") String id) {
        Invitations.Sent sent = tenancy.onResource(request.principal(), id, scope -> invitations.resend(scope, id));
        sent.mail().run();
        return view(sent.row());
    }

    @DELETE
    @Requires(Permission.MEMBERS_WRITE)
    @Path("/invitations/{invitation}")
    public Response revoke(@PathParam("invitation") String id, @HeaderParam("If-Match") String ifMatch) {
        tenancy.onResource(request.principal(), id, scope -> {
            InvitationEntity row = rows.locked(scope, id);
            Etags.check(ifMatch, Etags.ofVersion(row.version));
            invitations.revoke(scope, row);
            return null;
        });
        return Response.noContent().build();
    }

    @POST
    @Public
    @Path("/invitations/preview")
    @Consumes("application/json")
    public InvitationPreview preview(byte[] body) {
        return invitations.preview(bodies.read(body, InvitationToken.class).token());
    }

    @POST
    @Self
    @Path("/invitations/accept")
    @Consumes("application/json")
    public InvitationAccepted accept(byte[] body) {
        return invitations.accept(
                request.principal(), bodies.read(body, InvitationToken.class).token());
    }

    private Invitation view(InvitationEntity row) {
        return new Invitation(
                row.id,
                row.orgId,
                row.projectId,
                row.email,
                row.role,
                row.state(clock.instant()).code(),
                new PrincipalRef(
                        row.inviterId.startsWith("sa_") ? "service_account" : "user", row.inviterId, row.inviterName),
                row.createdAt,
                row.expiresAt,
                row.lastSentAt,
                row.acceptedAt,
                Etags.ofVersion(row.version));
    }
}
