package io.penstock.protocol.jetstream;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * How a stream outside this account or domain is reached.
 */
public record ExternalStream(
        @JsonProperty("api") String api,
        @JsonProperty("deliver") String deliver) {
    /** Absent values become their defaults. */
    public ExternalStream {
        api = api == null ? "" : api;
        deliver = deliver == null ? "" : deliver;
    }
}
