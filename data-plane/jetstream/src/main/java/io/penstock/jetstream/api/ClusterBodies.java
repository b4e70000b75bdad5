package io.penstock.jetstream.api;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.penstock.jetstream.runtime.ApiCall;
import io.penstock.protocol.jetstream.InvalidJsonException;
import io.penstock.protocol.jetstream.JetStreamJson;
import io.penstock.protocol.jetstream.JsError;
import io.penstock.protocol.jetstream.Placement;
import io.penstock.protocol.jetstream.StreamConfig;
import java.util.List;

/** Reads the bodies of requests that the metadata's leader answers. */
public final class ClusterBodies {
    /** A stream as it was asked for. */
    public record StreamRequest(StreamConfig config, boolean pedantic) {}

    /** A page of streams. */
    public record Paged(
            @JsonProperty("offset") int offset,
            @JsonProperty("subject") String subject) {}

    /** A node, by name or short name. */
    public record Peer(
            @JsonProperty("peer") String peer,
            @JsonProperty("peer_id") String peerId) {
        public Peer {
            peer = peer == null ? "" : peer;
            peerId = peerId == null ? "" : peerId;
        }
    }

    /** Who should lead. */
    public record StepDown(@JsonProperty("placement") Placement placement) {}

    /** Where a stream should go, and the node it should leave. */
    public record Move(
            @JsonProperty("server") String server,
            @JsonProperty("cluster") String cluster,
            @JsonProperty("domain") String domain,
            @JsonProperty("tags") List<String> tags) {
        public Move {
            server = server == null ? "" : server;
            cluster = cluster == null ? "" : cluster;
            tags = tags == null ? List.of() : List.copyOf(tags);
        }
    }

    private ClusterBodies() {}

    /** A stream's configuration, which must carry the name of the subject. */
    public static StreamRequest stream(ApiCall call, String name, boolean strict) throws InvalidJsonException {
        byte[] body = call.body().length == 0 ? new byte[] {'{', '}'} : call.body();
        PedanticConfig.Split split = PedanticConfig.split(body);
        StreamConfig config = JetStreamJson.read(split.rest(), StreamConfig.class, strict);
        if (!config.name().equals(name)) {
            throw JsError.STREAM_MISMATCH.raise();
        }
        return new StreamRequest(config, split.pedantic());
    }

    /** A body that may be left out. */
    public static <T> T optional(ApiCall call, Class<T> type, boolean strict) throws InvalidJsonException {
        return JsApi.optional(call, type, strict);
    }

    /** A node, which must be named. */
    public static Peer peer(ApiCall call, boolean strict) throws InvalidJsonException {
        Peer peer = optional(call, Peer.class, strict);
        if (peer.peer().isEmpty() && peer.peerId().isEmpty()) {
            throw JsError.BAD_REQUEST.raise();
        }
        return peer;
    }

    /** Sees to it that a request without a body has none. */
    public static void expectEmpty(ApiCall call) {
        JsApi.expectEmpty(call);
    }
}
