package io.penstock.controlplane.web;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** An answer of RFC 9457 on its way to the client. Immutable. */
public final class ProblemException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final ErrorCode code;
    private final transient Map<String, Object> params;
    private final transient List<InvalidParameter> invalid;
    private final transient Map<String, String> headers;

    /** A field or parameter that is wrong. `source` is body, query, path or header. */
    public record InvalidParameter(String field, String rule, String reason, String source) {}

    private ProblemException(
            ErrorCode code,
            String detail,
            Map<String, Object> params,
            List<InvalidParameter> invalid,
            Map<String, String> headers) {
        super(detail);
        this.code = code;
        this.params = params;
        this.invalid = invalid;
        this.headers = headers;
    }

    public static ProblemException of(ErrorCode code, String detail) {
        return new ProblemException(code, detail, Map.of(), List.of(), Map.of());
    }

    /** The one answer for what does not exist and for what belongs to somebody else. */
    public static ProblemException notFound() {
        return of(ErrorCode.NOT_FOUND, "There is nothing at this address, or it is not yours.");
    }

    public static ProblemException invalidField(ErrorCode code, String field, String rule, String reason) {
        return invalid(code, List.of(new InvalidParameter(field, rule, reason, "body")));
    }

    public static ProblemException invalidQuery(String parameter, String reason) {
        return invalid(ErrorCode.INVALID_REQUEST, List.of(new InvalidParameter(parameter, "syntax", reason, "query")));
    }

    public static ProblemException invalid(ErrorCode code, List<InvalidParameter> invalid) {
        InvalidParameter first = invalid.getFirst();
        return new ProblemException(
                code, first.field() + ": " + first.reason(), Map.of(), List.copyOf(invalid), Map.of());
    }

    public ProblemException param(String name, Object value) {
        Map<String, Object> more = new LinkedHashMap<>(params);
        more.put(name, value);
        return new ProblemException(code, getMessage(), more, invalid, headers);
    }

    public ProblemException header(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(name, value);
        return new ProblemException(code, getMessage(), params, invalid, more);
    }

    public ErrorCode code() {
        return code;
    }

    public Map<String, Object> params() {
        return params;
    }

    public List<InvalidParameter> invalidParameters() {
        return invalid;
    }

    public Map<String, String> headers() {
        return headers;
    }
}
