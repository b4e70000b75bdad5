package io.penstock.controlplane.identity;

import io.penstock.controlplane.web.Bodies;
import io.penstock.controlplane.web.Public;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.inject.Inject;
import jakarta.validation.constraints.Email;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Response;

/** A forgotten password. */
@Path("/v1/password-reset")
@Produces("application/json")
@RunOnVirtualThread
public class PasswordResetResource {
    @Inject
    PasswordResets resets;

    @Inject
    Bodies bodies;

    /** Whose. */
    public record PasswordResetRequest(
            @NotNull(message = "an e-mail address is needed")
            @Email(message = "this is not an e-mail address")
            @Size(max = 254, message = "at most 254 characters")
            String email) {}

    /** The same for every address. */
    public record PasswordResetSent(String email) {}

    /** The token of the mail's link, and the new password. */
    public record PasswordResetConfirm(
            @NotNull(message = "the token is needed") @Size(min = 20, max = 100, message = "take the whole link")
            String token,

            @NotNull(message = "a password is needed") @Size(min = 12, max = 128, message = "12 to 128 characters")
            String password) {
        @Override
        public String toString() {
            return "PasswordResetConfirm";
        }
    }

    /** Where to go on. */
    public record PasswordResetDone(String loginUrl) {}

    @POST
    @Public
    @Consumes("application/json")
    public Response request(byte[] body) {
        PasswordResetRequest form = bodies.read(body, PasswordResetRequest.class);
        resets.request(form.email());
        return Response.accepted(new PasswordResetSent(form.email())).build();
    }

    @POST
    @Public
    @Path("/confirm")
    @Consumes("application/json")
    public PasswordResetDone confirm(byte[] body) {
        PasswordResetConfirm form = bodies.read(body, PasswordResetConfirm.class);
        return resets.confirm(form.token(), form.password());
    }
}
