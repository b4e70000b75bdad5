package io.penstock.controlplane.web;

import java.util.Locale;

/** The stable codes of problem answers: a public contract, never renamed. The status belongs to the code. */
public enum ErrorCode {
    /** The body, a parameter or the syntax is wrong. */
    INVALID_REQUEST(400, "The request cannot be understood"),
    /** The cursor was changed, or belongs to another list. */
    INVALID_CURSOR(400, "The cursor does not belong to this list"),
    /** The body names a field that does not exist. */
    UNKNOWN_FIELD(400, "The body names a field that does not exist"),
    /** The call makes a secret and needs a key for safe repeats. */
    IDEMPOTENCY_KEY_REQUIRED(400, "This call needs an Idempotency-Key"),
    /** Nobody is signed in. */
    UNAUTHENTICATED(401, "Sign in first"),
    /** The API token's time is over. */
    TOKEN_EXPIRED(401, "The API token expired"),
    /** The API token was revoked, replaced or disabled, or its owner is gone. */
    TOKEN_REVOKED(401, "The API token was revoked"),
    /** The call changes something and does not prove that it comes from this site. */
    CSRF_FAILED(403, "The call does not come from this site"),
    /** The own role does not allow it. */
    PERMISSION_DENIED(403, "Your role does not allow this"),
    /** The API token may not be used from there. */
    IP_NOT_ALLOWED(403, "Not from this address"),
    /** The account is suspended. */
    ACCOUNT_SUSPENDED(403, "The account is suspended"),
    /** No such thing, or not yours. */
    NOT_FOUND(404, "There is no such thing"),
    /** The path exists, the method does not. */
    METHOD_NOT_ALLOWED(405, "This path does not have that method"),
    /** The answer's type is not wanted. */
    NOT_ACCEPTABLE(406, "Only JSON can be answered"),
    /** The name is taken. */
    ALREADY_EXISTS(409, "The name is taken"),
    /** Deleted, and can be restored for a while. */
    DELETED_RECOVERABLE(410, "It is deleted and can be restored"),
    /** Something still depends on it. */
    HAS_DEPENDENTS(409, "Something still depends on it"),
    /** The organisation would be left without an owner. */
    LAST_OWNER(409, "The organisation needs an owner"),
    /** Deletion is switched off for it. */
    DELETION_PROTECTED(409, "It is protected from deletion"),
    /** The limit would be lower than what is in use. */
    LIMIT_BELOW_USAGE(409, "Limit is below current usage"),
    /** Not possible in the present state. */
    STATE_CONFLICT(409, "Not possible in the present state"),
    /** Another change of the same thing is running. */
    OPERATION_IN_PROGRESS(409, "Another change is still running"),
    /** The first call with this key has not ended. */
    IDEMPOTENCY_IN_PROGRESS(409, "The first call with this key is still running"),
    /** The thing changed since it was read. */
    VERSION_MISMATCH(412, "It was changed since you read it"),
    /** The body is too large. */
    PAYLOAD_TOO_LARGE(413, "The body is too large"),
    /** The body's type is not JSON. */
    UNSUPPORTED_MEDIA_TYPE(415, "The body must be JSON"),
    /** A field's value is not allowed. */
    VALIDATION_FAILED(422, "A value is not allowed"),
    /** The broker refused the configuration. */
    BROKER_REJECTED(422, "The broker refused"),
    /** The key was used with another body. */
    IDEMPOTENCY_KEY_REUSED(422, "The Idempotency-Key was used for another request"),
    /** The field cannot be changed after creation. */
    IMMUTABLE_FIELD(422, "The field cannot be changed"),
    /** Another stream keeps these subjects. */
    SUBJECT_OVERLAP(422, "Subjects overlap with another stream"),
    /** Something would be imported from where it goes to. */
    CYCLIC_IMPORT(422, "The import would be a circle"),
    /** A secret is given once. */
    SECRET_ALREADY_DELIVERED(409, "The secret was delivered before"),
    /** A part that the call needs refused it. */
    DEPENDENCY_FAILED(424, "A part that this call needs failed"),
    /** If-Match is missing. */
    PRECONDITION_REQUIRED(428, "If-Match is missing"),
    /** Too many calls. */
    RATE_LIMITED(429, "Too many calls"),
    /** A quota is used up. */
    QUOTA_EXCEEDED(429, "A quota is used up"),
    /** Our fault. */
    INTERNAL(500, "Something went wrong on our side"),
    /** The broker answered with an error of its own. */
    BROKER_ERROR(502, "The broker failed"),
    /** A part that the call needs is not there now. */
    UNAVAILABLE(503, "Not available at the moment"),
    /** The broker did not answer in time. */
    BROKER_TIMEOUT(504, "The broker did not answer in time");

    private final int status;
    private final String title;

    ErrorCode(int status, String title) {
        this.status = status;
        this.title = title;
    }

    public int status() {
        return status;
    }

    public String title() {
        return title;
    }

    /** The code as it stands in answers, such as `not_found`. */
    public String code() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether the same call may succeed later. */
    public boolean retryable() {
        return status == 429 || status >= 502 || this == OPERATION_IN_PROGRESS || this == IDEMPOTENCY_IN_PROGRESS;
    }
}
