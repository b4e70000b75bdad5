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

    /** The form. The password goes to the identity provider and stays nowhere here. */
    public record SignupRequest(
            @NotNull(message = "an e-mail address is needed")
            @Email(message = "this is not an e-mail address")
            @Size(max = 254, message = "at most 254 characters")
            String email,

            @NotNull(message = "a password is needed") @Size(min = 12, max = 128, message = "12 to 128 characters")
            String password,

            @Size(min = 1, max = 80, message = "1 to 80 characters")
            String organizationName) {
        @Override
        public String toString() {
            return "SignupRequest[" + email + "]";
        }
    }

    /** What the browser learns. */
    public record Signup(String signupId, String email, Instant resendAfter, Instant expiresAt) {}

    /** The six digits of the mail. */
    public record SignupVerifyRequest(
            @NotNull(message = "the code is needed") @Size(min = 6, max = 16, message = "six digits")
            String code) {}

    /** The token of the mail's link. */
    public record SignupVerifyLinkRequest(
            @NotNull(message = "the token is needed") @Size(min = 20, max = 200, message = "take the whole link")
            String token) {}

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
        return signups.verifyCode(
                signup, bodies.read(body, SignupVerifyRequest.class).code());
    }

    @POST
    @Public
    @Path("/verify-link")
    @Consumes("application/json")
    public SignupVerified verifyLink(byte[] body) {
        return signups.verifyLink(
                bodies.read(body, SignupVerifyLinkRequest.class).token());
    }

    @POST
    @Public
    @Path("/{signup}/resend")
    public Response resend(@PathParam("signup") String signup) {
        return Response.accepted(signups.resend(signup)).build();
    }
}
