package io.penstock.controlplane.broker;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.controlplane.web.ErrorCode;
import io.penstock.controlplane.web.ProblemException;

/** What the broker's error codes mean to a user of the API. */
final class BrokerErrors {
    private BrokerErrors() {}

    static ProblemException problem(JsonNode error) {
        int code = error.path("err_code").asInt();
        int status = error.path("code").asInt();
        String said = error.path("description").asText("no description");
        return explained(code, status, said).param("err_code", code).param("description", said);
    }

    private static ProblemException explained(int code, int status, String said) {
        return switch (code) {
            case 10058 -> of(ErrorCode.ALREADY_EXISTS, "A stream of this name exists with another configuration.");
            case 10105, 10148 -> of(ErrorCode.ALREADY_EXISTS, "A consumer of this name exists already.");
            case 10071, 10164 ->
                of(ErrorCode.VERSION_MISMATCH, "It was changed since you read it. Read it again and repeat.");
            case 10065 ->
                of(
                        ErrorCode.SUBJECT_OVERLAP,
                        "Another stream of this account already keeps these subjects. Remove the overlapping subject.");
            case 10059, 10014, 10037, 10043 -> ProblemException.notFound();
            case 10002, 10023, 10028, 10047 ->
                of(ErrorCode.BROKER_REJECTED, "The account's limits leave no room for this: " + said + ".");
            case 10027 -> of(ErrorCode.BROKER_REJECTED, "The account may not have more streams.");
            case 10026 -> of(ErrorCode.BROKER_REJECTED, "The account or stream may not have more consumers.");
            case 10039 -> of(ErrorCode.UNAVAILABLE, "JetStream is off for this account.");
            case 10008, 10076 -> of(ErrorCode.UNAVAILABLE, "The broker is not ready. Try again in a moment.");
            // The broker marks many refused configurations as 500; a code of its own means that it understood and said
            // no.
            default ->
                status >= 500 && code == 0
                        ? of(ErrorCode.BROKER_ERROR, "The broker failed: " + said + ".")
                        : of(ErrorCode.BROKER_REJECTED, "The broker refused: " + said + ".");
        };
    }

    private static ProblemException of(ErrorCode code, String detail) {
        return ProblemException.of(code, detail);
    }
}
