package io.penstock.controlplane.signup;

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
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Response;
import java.time.Instant;

/** Sign-up. Answers are the same whether an address is known or not. */
@Path("/v1/signup")
@Produces("application/json")
@RunOnVirtualThread
public class SignupResource {
    @Inject
    Signups signups;

    @Inject
    Bodies bodies;

    /** The form. The password comes with the confirmation, from whoever has the mail. */
    public record SignupRequest(
            @NotNull(message = "an e-mail address is needed")
            @Email(message = "this is not an e-mail address")
            @Size(max = 254, message = "at most 254 characters")
            String email,

            @Size(min = 1, max = 80, message = "1 to 80 characters")
            String organizationName) {}

    /** What the browser learns. */
    public record Signup(String signupId, String email, Instant resendAfter, Instant expiresAt) {}

    /** The six digits of the mail, and the password to sign in with. It goes to the identity provider and stays nowhere here. */
    public record SignupVerifyRequest(
            @NotNull(message = "the code is needed") @Size(min = 6, max = 16, message = "six digits")
            String code,

            @NotNull(message = "a password is needed") @Size(min = 12, max = 128, message = "12 to 128 characters")
            String password) {
        @Override
        public String toString() {
            return "SignupVerifyRequest";
        }
    }

    /** The token of the mail's link, and the password to sign in with. */
    public record SignupVerifyLinkRequest(
            @NotNull(message = "the token is needed") @Size(min = 20, max = 200, message = "take the whole link")
            String token,

            @NotNull(message = "a password is needed") @Size(min = 12, max = 128, message = "12 to 128 characters")
            String password) {
        @Override
        public String toString() {
            return "SignupVerifyLinkRequest";
        }
    }

    /** Where to go on. */
    public record SignupVerified(String loginUrl) {}

    @POST
    @Public
    @Consumes("application/json")
    public Response create(byte[] body) {
        return Response.accepted(signups.start(bodies.read(body, SignupRequest.class)))
                .build();
    }

    @POST
    @Public
    @Path("/{signup}/verify")
    @Consumes("application/json")
    public SignupVerified verify(@PathParam("signup") String signup, byte[] body) {
        SignupVerifyRequest form = bodies.read(body, SignupVerifyRequest.class);
        return signups.verifyCode(signup, form.code(), form.password());
    }

    @POST
    @Public
    @Path("/verify-link")
    @Consumes("application/json")
    public SignupVerified verifyLink(byte[] body) {
        SignupVerifyLinkRequest form = bodies.read(body, SignupVerifyLinkRequest.class);
        return signups.verifyLink(form.token(), form.password());
    }

    @POST
    @Public
    @Path("/{signup}/resend")
    public Response resend(@PathParam("signup") String signup) {
        return Response.accepted(signups.resend(signup)).build();
    }
}
