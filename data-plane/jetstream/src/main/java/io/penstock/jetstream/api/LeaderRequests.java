package io.penstock.jetstream.api;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.penstock.consensus.RaftGroup;
import io.penstock.consensus.Replica;
import io.penstock.jetstream.JetStreamOptions;
import io.penstock.jetstream.runtime.ApiCall;
import io.penstock.jetstream.runtime.Engine;
import io.penstock.jetstream.runtime.StreamRuntime;
import io.penstock.protocol.jetstream.InvalidJsonException;
import io.penstock.protocol.jetstream.JsError;
import io.penstock.protocol.jetstream.Placement;
import java.util.List;

/**
 * Requests to let another replica lead. Streams of one placement group have one leader, so all of them move together. A
 * consumer is led where its stream is: for its sake alone nothing moves.
 */
final class LeaderRequests {
    /** The body of a request; absent, the replica that ranks first takes over. */
    record StepDown(@JsonProperty("placement") Placement placement) {}

    private final JetStreamOptions options;

    LeaderRequests(JetStreamOptions options) {
        this.options = options;
    }

    void stream(ApiCall call, String name) throws InvalidJsonException {
        stepDown(call, JsApi.stream(call, name), "stream_leader_stepdown_response");
    }

    void consumer(ApiCall call, String stream, String name) throws InvalidJsonException {
        StreamRuntime owner = JsApi.stream(call, stream);
        ConsumerRequests.consumer(owner, name);
        StepDown request = JsApi.optional(call, StepDown.class, options.strict());
        Engine engine = owner.engine();
        if (!engine.host().clustered()) {
            throw JsError.CLUSTER_REQUIRED.raise();
        }
        if (engine.replicated() && engine.log() instanceof RaftGroup group) {
            preferred(request.placement(), engine, group);
            throw JsError.CLUSTER_NO_PEERS.raise("consumer \"" + name + "\" is led where stream \"" + stream
                    + "\" is, step down the stream instead");
        }
        Responder.success(call, "consumer_leader_stepdown_response");
    }

    /** A consumer lies where its stream does, so it cannot leave a node alone. */
    void consumerPeer(ApiCall call, String stream, String name) throws InvalidJsonException {
        StreamRuntime owner = JsApi.stream(call, stream);
        ConsumerRequests.consumer(owner, name);
        ClusterBodies.Peer asked = ClusterBodies.peer(call, options.strict());
        Engine engine = owner.engine();
        if (!engine.host().clustered()) {
            throw JsError.CLUSTER_REQUIRED.raise();
        }
        List<String> nodes = engine.log() instanceof RaftGroup group
                ? group.replicas().stream().map(Replica::node).toList()
                : List.of(options.serverName());
        boolean there = nodes.stream()
                .anyMatch(n -> n.equals(asked.peer())
                        || ClusterViews.shortName(n).equals(asked.peer())
                        || ClusterViews.shortName(n).equals(asked.peerId()));
        throw (there ? JsError.PEER_REMAP : JsError.CLUSTER_PEER_NOT_MEMBER).raise();
    }

    private void stepDown(ApiCall call, StreamRuntime stream, String type) throws InvalidJsonException {
        StepDown request = JsApi.optional(call, StepDown.class, options.strict());
        Engine engine = stream.engine();
        if (!engine.host().clustered()) {
            throw JsError.CLUSTER_REQUIRED.raise();
        }
        if (!(engine.log() instanceof RaftGroup group)) {
            // A stream with one replica is led where it is.
            Responder.success(call, type);
            return;
        }
        group.transferLeadership(preferred(request.placement(), engine, group)).whenComplete((done, failure) -> {
            if (failure == null) {
                Responder.success(call, type);
            } else {
                Responder.error(call, type, JsError.CLUSTER_NOT_LEADER.of());
            }
            call.account().host().soon();
        });
    }

    /** Who is to lead; empty when it does not matter. */
    private String preferred(Placement placement, Engine engine, RaftGroup group) {
        if (placement == null) {
            return "";
        }
        String preferred = placement.preferred();
        String server = "preferred server \"" + preferred + "\" ";
        if (!preferred.isEmpty()) {
            if (preferred.equals(options.serverName())) {
                throw JsError.CLUSTER_NO_PEERS.raise(server + "is already leader");
            }
            if (group.replicas().stream().noneMatch(r -> r.node().equals(preferred))) {
                throw JsError.CLUSTER_NO_PEERS.raise(server + "not known");
            }
        }
        boolean elsewhere =
                !placement.cluster().isEmpty() && !placement.cluster().equals(options.clusterName());
        if (preferred.isEmpty() && placement.tags().isEmpty() && !elsewhere) {
            return "";
        }
        return group.replicas().stream()
                .filter(r -> r.voter() && !r.leader() && !r.offline() && r.current() && !elsewhere)
                .map(Replica::node)
                .filter(n -> preferred.isEmpty() || n.equals(preferred))
                .filter(n -> tagged(engine.host().assignments().tags(n), placement.tags()))
                .findFirst()
                .orElseThrow(() -> JsError.CLUSTER_NO_PEERS.raise(
                        preferred.isEmpty()
                                ? "no replacement peer connected"
                                : server + "has no replica that could lead"));
    }

    private static boolean tagged(List<String> tags, List<String> wanted) {
        return wanted.stream().allMatch(w -> tags.stream().anyMatch(w::equalsIgnoreCase));
    }
}
