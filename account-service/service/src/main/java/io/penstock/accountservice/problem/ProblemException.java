package io.penstock.accountservice.problem;

import java.util.Map;

/** A request that cannot be served, as the caller gets to see it (RFC 9457). */
public final class ProblemException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final String code;
    private final transient Map<String, Object> extra;

    private ProblemException(int status, String code, String detail, Map<String, Object> extra) {
        super(detail);
        this.status = status;
        this.code = code;
        this.extra = extra;
    }

    public static ProblemException unauthorized(String code, String detail) {
        return new ProblemException(401, code, detail, Map.of());
    }

    public static ProblemException notFound(String detail) {
        return new ProblemException(404, "not_found", detail, Map.of());
    }

    public static ProblemException conflict(String code, String detail) {
        return new ProblemException(409, code, detail, Map.of());
    }

    /** A conflict that carries what is known about the thing it conflicts with. */
    public static ProblemException conflict(String code, String detail, Map<String, Object> extra) {
        return new ProblemException(409, code, detail, extra);
    }

    public static ProblemException invalid(String detail) {
        return new ProblemException(422, "validation_failed", detail, Map.of());
    }

    public static ProblemException rateLimited(String detail, long retryAfterSeconds) {
        return new ProblemException(429, "rate_limited", detail, Map.of("retry_after", retryAfterSeconds));
    }

    public static ProblemException unavailable(String code, String detail) {
        return new ProblemException(503, code, detail, Map.of());
    }

    int status() {
        return status;
    }

    public String code() {
        return code;
    }

    Map<String, Object> extra() {
        return extra;
    }
}
