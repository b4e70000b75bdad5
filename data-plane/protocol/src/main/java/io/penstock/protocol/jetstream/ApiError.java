package io.penstock.protocol.jetstream;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * An error as the API shows it.
 *
 * @param code the class of the error, as in HTTP
 * @param errCode the number clients switch on
 * @param description what is wrong
 */
public record ApiError(
        @JsonProperty("code") int code,

        @JsonProperty("err_code") @JsonInclude(JsonInclude.Include.NON_DEFAULT)
        int errCode,

        @JsonProperty("description") @JsonInclude(JsonInclude.Include.NON_EMPTY)
        String description) {
    /** Absent values become their defaults. */
    public ApiError {
        description = description == null ? "" : description;
    }
}
