package io.penstock.controlplane.web;

import io.quarkus.security.AuthenticationFailedException;
import io.quarkus.security.ForbiddenException;
import io.quarkus.security.UnauthorizedException;
import jakarta.inject.Inject;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.faulttolerance.exceptions.BulkheadException;
import org.eclipse.microprofile.faulttolerance.exceptions.CircuitBreakerOpenException;
import org.eclipse.microprofile.faulttolerance.exceptions.TimeoutException;
import org.jboss.logging.Logger;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

/** Turns everything that can go wrong into problem+json. Nothing of the inside (stack, SQL, host) gets out. */
public class Problems {
    private static final Logger LOG = Logger.getLogger(Problems.class);
    private static final String DOCS = "https://docs.penstock.cloud/errors/";

    @Inject
    RequestInfo request;

    /** The body of a problem answer. */
    public record Body(
            String type,
            String title,
            int status,
            String code,
            String detail,
            String instance,
            String requestId,
            boolean retryable,
            Map<String, Object> params,
            List<ProblemException.InvalidParameter> invalidParameters) {}

    /** Renders without answering, for the store of idempotent answers. */
    public static Body body(ProblemException problem, String path, String requestId) {
        ErrorCode code = problem.code();
        return new Body(
                DOCS + code.code(),
                code.title(),
                code.status(),
                code.code(),
                problem.getMessage(),
                path,
                requestId,
                code.retryable(),
                problem.params(),
                problem.invalidParameters());
    }

    @ServerExceptionMapper
    public Response problem(ProblemException problem) {
        Response.ResponseBuilder answer = Response.status(problem.code().status())
                .type("application/problem+json")
                .header(HttpHeaders.CACHE_CONTROL, "no-store")
                .entity(body(problem, request.path(), request.requestId()));
        problem.headers().forEach(answer::header);
        if (problem.code().status() == 401) {
            answer.header(
                    HttpHeaders.WWW_AUTHENTICATE,
                    request.header("Authorization") == null
                            ? "Session realm=\"penstock\", Bearer realm=\"penstock\""
                            : "Bearer realm=\"penstock\", error=\"invalid_token\"");
        }
        return answer.build();
    }

    @ServerExceptionMapper({UnauthorizedException.class, AuthenticationFailedException.class})
    public Response unauthenticated(RuntimeException cause) {
        return problem(ProblemException.of(ErrorCode.UNAUTHENTICATED, "There is no session, or it has ended."));
    }

    @ServerExceptionMapper
    public Response forbidden(ForbiddenException cause) {
        return problem(ProblemException.of(ErrorCode.PERMISSION_DENIED, "Your role does not allow this."));
    }

    @ServerExceptionMapper({CircuitBreakerOpenException.class, TimeoutException.class, BulkheadException.class})
    public Response unavailable(RuntimeException cause) {
        LOG.warnf("%s: %s", request.requestId(), cause.toString());
        return problem(ProblemException.of(
                        ErrorCode.UNAVAILABLE,
                        "A part that this call needs does not answer now. Try again in a moment.")
                .header(HttpHeaders.RETRY_AFTER, "5"));
    }

    @ServerExceptionMapper
    public Response webApplication(WebApplicationException cause) {
        int status = cause.getResponse().getStatus();
        return problem(
                switch (status) {
                    case 401 -> ProblemException.of(ErrorCode.UNAUTHENTICATED, "There is no session, or it has ended.");
                    case 403 -> ProblemException.of(ErrorCode.PERMISSION_DENIED, "Your role does not allow this.");
                    case 404 -> ProblemException.notFound();
                    case 405 ->
                        ProblemException.of(ErrorCode.METHOD_NOT_ALLOWED, "See /v1/openapi.json for the methods.");
                    case 406 -> ProblemException.of(ErrorCode.NOT_ACCEPTABLE, "Accept application/json.");
                    case 413 -> ProblemException.of(ErrorCode.PAYLOAD_TOO_LARGE, "A body has at most 1 MB.");
                    case 415 ->
                        ProblemException.of(
                                ErrorCode.UNSUPPORTED_MEDIA_TYPE,
                                "Send application/json, or application/merge-patch+json with PATCH.");
                    default ->
                        status < 500
                                ? ProblemException.of(ErrorCode.INVALID_REQUEST, "The request cannot be understood.")
                                : internal(cause);
                });
    }

    @ServerExceptionMapper
    public Response unexpected(Throwable cause) {
        return problem(internal(cause));
    }

    private ProblemException internal(Throwable cause) {
        LOG.errorf(cause, "%s: %s", request.requestId(), request.path());
        return ProblemException.of(
                ErrorCode.INTERNAL, "The request id helps us to find what happened. Nothing of yours is at fault.");
    }
}
