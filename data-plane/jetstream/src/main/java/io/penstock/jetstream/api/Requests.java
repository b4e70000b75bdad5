package io.penstock.jetstream.api;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.penstock.protocol.jetstream.ConsumerAction;
import io.penstock.protocol.jetstream.ConsumerConfig;
import java.time.Instant;

/** The bodies of requests that are not configurations. */
final class Requests {
    private Requests() {}

    record Paged(@JsonProperty("offset") int offset) {}

    record StreamsPaged(
            @JsonProperty("offset") int offset,
            @JsonProperty("subject") String subject) {}

    record StreamInfoRequest(
            @JsonProperty("offset") int offset,
            @JsonProperty("deleted_details") boolean deletedDetails,
            @JsonProperty("subjects_filter") String subjectsFilter) {}

    record Purge(
            @JsonProperty("seq") long seq,
            @JsonProperty("filter") String filter,
            @JsonProperty("keep") long keep) {}

    record MessageDelete(
            @JsonProperty("seq") long seq,
            @JsonProperty("no_erase") boolean noErase) {}

    record ConsumerCreate(
            @JsonProperty("stream_name") String streamName,
            @JsonProperty("config") ConsumerConfig config,
            @JsonProperty("action") ConsumerAction action,
            @JsonProperty("pedantic") boolean pedantic) {}

    record Pause(@JsonProperty("pause_until") Instant pauseUntil) {}

    record Reset(@JsonProperty("seq") long seq) {}
}
