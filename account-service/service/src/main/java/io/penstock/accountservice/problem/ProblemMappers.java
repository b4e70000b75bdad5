package io.penstock.accountservice.problem;

import com.fasterxml.jackson.core.JacksonException;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Response;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jboss.logging.Logger;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

/** Every error as problem+json. Unexpected ones get an id that stands in the log; their text stays here. */
class ProblemMappers {
    private static final Logger LOG = Logger.getLogger(ProblemMappers.class);
    private static final String PROBLEM_JSON = "application/problem+json";

    @ServerExceptionMapper
    Response problem(ProblemException e) {
        Response.ResponseBuilder response = response(e.status(), e.code(), e.getMessage(), e.extra());
        Object retryAfter = e.extra().get("retry_after");
        return (retryAfter == null ? response : response.header("Retry-After", retryAfter)).build();
    }

    @ServerExceptionMapper
    Response badJson(JacksonException e) {
        return response(400, "malformed_body", "the body is not the JSON expected: " + e.getOriginalMessage(), Map.of())
                .build();
    }

    @ServerExceptionMapper
    Response http(WebApplicationException e) {
        if (e.getCause() instanceof JacksonException json) {
            return badJson(json);
        }
        int status = e.getResponse().getStatus();
        return response(status, "http_" + status, e.getMessage(), Map.of()).build();
    }

    @ServerExceptionMapper
    Response unexpected(Throwable e) {
        String id = UUID.randomUUID().toString();
        LOG.errorf(e, "request failed unexpectedly, error id %s", id);
        return response(500, "internal_error", "unexpected error " + id, Map.of("error_id", id))
                .build();
    }

    private static Response.ResponseBuilder response(
            int status, String code, String detail, Map<String, Object> extra) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("type", "urn:penstock:problem:" + code);
        body.put("title", code.replace('_', ' '));
        body.put("status", status);
        body.put("code", code);
        body.put("detail", detail);
        body.putAll(extra);
        return Response.status(status).type(PROBLEM_JSON).entity(body);
    }
}
