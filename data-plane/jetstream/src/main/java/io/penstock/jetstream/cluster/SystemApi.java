package io.penstock.jetstream.cluster;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.broker.internal.InboundMessage;
import io.penstock.broker.internal.InternalClient;
import io.penstock.consensus.Replica;
import io.penstock.jetstream.api.ClusterBodies;
import io.penstock.jetstream.api.ClusterViews;
import io.penstock.jetstream.runtime.Advisories;
import io.penstock.jetstream.runtime.Host;
import io.penstock.jetstream.runtime.StreamAssignment;
import io.penstock.jetstream.state.Headers;
import io.penstock.protocol.Subjects;
import io.penstock.protocol.jetstream.ApiError;
import io.penstock.protocol.jetstream.GoTime;
import io.penstock.protocol.jetstream.InvalidJsonException;
import io.penstock.protocol.jetstream.JetStreamJson;
import io.penstock.protocol.jetstream.JsError;
import io.penstock.protocol.jetstream.JsException;
import io.penstock.protocol.jetstream.Placement;
import io.penstock.protocol.jetstream.StreamConfig;
import java.util.ArrayList;
import java.util.List;

/** Requests of the system account: the metadata's leader, servers, streams of any account. */
final class SystemApi {
    private static final String TYPE = "io.nats.jetstream.api.v1.";
    private static final byte[] EMPTY = {'{', '}'};

    private final Host host;
    private final MetaMachine machine;
    private final StreamGroups placing;
    private final ClusterSettings settings;
    private final Standing standing;

    /** The system account's client; null until it is there. */
    private InternalClient heard;

    /** A request on its way to the loop. */
    private record Call(InternalClient client, String subject, String reply, byte[] body) {}

    SystemApi(Host host, MetaMachine machine, StreamGroups placing, ClusterSettings settings, Standing standing) {
        this.standing = standing;
        this.host = host;
        this.machine = machine;
        this.placing = placing;
        this.settings = settings;
    }

    void serve(InternalClient client) {
        heard = client;
        for (String area : List.of("META", "SERVER", "ACCOUNT")) {
            client.subscribe("$JS.API." + area + ".>", message -> receive(client, message));
        }
    }

    private void receive(InternalClient client, InboundMessage message) {
        byte[] body = new byte[message.payloadLength()];
        message.copyPayload(body, 0);
        Call call = new Call(client, message.subject(), message.reply(), body);
        host.loop().execute(() -> handle(call));
    }

    private void handle(Call call) {
        String[] tokens = call.subject().split("\\.", -1);
        String action = tokens.length > 3 ? tokens[2] + "." + tokens[3] : "";
        String type = switch (action) {
            case "META.LEADER" -> "meta_leader_stepdown_response";
            case "META.RESCUE" -> "meta_rescue_response";
            case "SERVER.REMOVE" -> "meta_server_remove_response";
            case "SERVER.EVACUATE" -> "meta_server_evacuate_response";
            case "ACCOUNT.PURGE" -> "account_purge_response";
            case "ACCOUNT.STREAM" ->
                tokens.length > 4 && tokens[4].equals("CANCEL_MOVE")
                        ? "stream_cancel_move_response"
                        : "stream_update_response";
            default -> null;
        };
        if (type == null) {
            return;
        }
        if (action.equals("META.RESCUE")) {
            rescue(call, type);
            return;
        }
        if (!machine.leading()) {
            if (standing.leaderless()) {
                later(call, type);
            }
            return;
        }
        try {
            dispatch(call, action, type, tokens);
        } catch (JsException e) {
            error(call, type, e.error());
        } catch (InvalidJsonException e) {
            error(call, type, JsError.INVALID_JSON.of(e.getMessage()));
        }
    }

    /** Nobody leads, as far as is known here: says so unless somebody turns up who does. */
    private void later(Call call, String type) {
        host.loop().schedule(StreamApi.DELAY_NANOS, () -> {
            if (standing.leaderless()) {
                error(call, type, JsError.CLUSTER_NOT_AVAIL.of());
            }
        });
    }

    /** Every node says that the quorum stays as it is: with fewer votes, what was acknowledged could be lost. */
    private void rescue(Call call, String type) {
        String reason = machine.leader().isEmpty()
                ? "this server does not lower the quorum: bring servers back, with their stores, until more than half of"
                        + " those that vote are there"
                : "leader is known";
        ObjectNode answer = JetStreamJson.object().put("type", TYPE + type).put("server", settings.name());
        answer.set("error", JetStreamJson.tree(JsError.CLUSTER_RESCUE.of(reason)));
        answer(call, answer);
    }

    private void dispatch(Call call, String action, String type, String[] tokens) throws InvalidJsonException {
        switch (action) {
            case "META.LEADER" -> stepDown(call, type);
            case "SERVER.REMOVE" -> change(call, type, NodeEntry.State.REMOVED);
            case "SERVER.EVACUATE" -> change(call, type, NodeEntry.State.DRAINING);
            case "ACCOUNT.PURGE" -> purge(call, type, Subjects.toUtf8(tokens[tokens.length - 1]));
            default -> {
                if (tokens.length == 7 && tokens[4].equals("MOVE")) {
                    move(call, type, Subjects.toUtf8(tokens[5]), Subjects.toUtf8(tokens[6]));
                } else if (tokens.length == 7 && tokens[4].equals("CANCEL_MOVE")) {
                    cancelMove(call, type, Subjects.toUtf8(tokens[5]), Subjects.toUtf8(tokens[6]));
                }
            }
        }
    }

    private <T> T read(Call call, Class<T> type) throws InvalidJsonException {
        return JetStreamJson.read(
                call.body().length == 0 ? EMPTY : call.body(),
                type,
                host.options().strict());
    }

    private void stepDown(Call call, String type) throws InvalidJsonException {
        Placement placement = read(call, ClusterBodies.StepDown.class).placement();
        String next = placement == null ? "" : successor(placement);
        success(call, type, "success");
        var _ = machine.log().transferLeadership(next);
    }

    private String successor(Placement placement) {
        if (!placement.preferred().isEmpty() && placement.preferred().equals(settings.name())) {
            throw JsError.CLUSTER_NO_PEERS.raise("preferred server is already leader");
        }
        List<String> fit = new ArrayList<>();
        for (Replica replica : machine.log().replicas()) {
            NodeEntry node = machine.state().node(replica.node());
            boolean able =
                    node != null && replica.voter() && !replica.leader() && replica.current() && !replica.offline();
            boolean wanted = able
                    && (placement.preferred().isEmpty() || placement.preferred().equals(node.name()))
                    && (placement.cluster().isEmpty() || placement.cluster().equals(settings.cluster()))
                    && placement.tags().stream()
                            .allMatch(t -> node.tags().stream().anyMatch(t::equalsIgnoreCase));
            if (wanted) {
                fit.add(node.name());
            }
        }
        if (fit.isEmpty()) {
            throw JsError.CLUSTER_NO_PEERS.raise("no suitable peers for placement");
        }
        return fit.getFirst();
    }

    private void change(Call call, String type, NodeEntry.State state) throws InvalidJsonException {
        if (call.body().length == 0) {
            throw JsError.BAD_REQUEST.raise();
        }
        ClusterBodies.Peer asked = read(call, ClusterBodies.Peer.class);
        String name = node(machine.state(), asked.peer(), asked.peerId());
        NodeEntry node = name == null ? null : machine.state().node(name);
        if (node == null || node.state() == NodeEntry.State.REMOVED) {
            throw JsError.CLUSTER_SERVER_NOT_MEMBER.raise();
        }
        if (node.state() == state) {
            success(call, type, "success");
            return;
        }
        propose(call, type, List.of(new MetaRecord.NodeChanged(name, state)), "success", () -> {
            if (state == NodeEntry.State.REMOVED) {
                removed(call.client(), name);
            }
        });
    }

    private void removed(InternalClient client, String name) {
        String id = Long.toHexString(host.random().nextLong());
        ObjectNode advisory = JetStreamJson.object()
                .put("type", "io.nats.jetstream.advisory.v1.server_removed")
                .put("id", id)
                .put("timestamp", GoTime.format(GoTime.instant(host.loop().now())))
                .put("server", name)
                .put("server_id", ClusterViews.shortName(name))
                .put("cluster", settings.cluster());
        client.publish("$JS.EVENT.ADVISORY.SERVER.REMOVED", null, Headers.NONE, JetStreamJson.write(advisory));
        client.flush();
    }

    /** This node leads the metadata from now on. */
    void leads(List<Replica> replicas) {
        String subject = "$JS.EVENT.ADVISORY.DOMAIN.LEADER_ELECTED";
        if (heard == null || standing.isRemoved() || !heard.hasInterest(subject)) {
            return;
        }
        ObjectNode advisory = Advisories.event(host, "io.nats.jetstream.advisory.v1.domain_leader_elected")
                .put("leader", ClusterViews.shortName(settings.name()));
        Advisories.withReplicas(advisory, replicas).put("cluster", settings.cluster());
        if (!host.options().domain().isEmpty()) {
            advisory.put("domain", host.options().domain());
        }
        heard.publish(subject, null, Headers.NONE, JetStreamJson.write(advisory));
        heard.flush();
    }

    /** The node of this name or short name; null when there is none. */
    static String node(MetaState state, String name, String shortName) {
        for (String candidate : state.nodes().keySet()) {
            String own = ClusterViews.shortName(candidate);
            if (candidate.equals(name) || own.equals(name) || (!shortName.isEmpty() && own.equals(shortName))) {
                return candidate;
            }
        }
        return null;
    }

    private void purge(Call call, String type, String account) {
        List<MetaRecord> records = new ArrayList<>();
        for (StreamAssignment stream : machine.state().streams(account)) {
            records.add(new MetaRecord.StreamDeleted(account, stream.stream(), stream.generation()));
        }
        if (records.isEmpty()) {
            success(call, type, "initiated");
        } else {
            propose(call, type, records, "initiated", () -> {});
        }
    }

    private StreamAssignment existing(String account, String name) {
        StreamAssignment stream = machine.state().stream(account, name);
        if (stream == null) {
            throw JsError.STREAM_NOT_FOUND.raise();
        }
        return stream;
    }

    private void move(Call call, String type, String account, String name) throws InvalidJsonException {
        ClusterBodies.Move asked = read(call, ClusterBodies.Move.class);
        StreamAssignment stream = existing(account, name);
        if (!stream.target().isEmpty()) {
            throw JsError.STREAM_MOVE_IN_PROGRESS.raise();
        }
        String from = "";
        if (!asked.server().isEmpty()) {
            from = node(machine.state(), asked.server(), "");
            if (from == null || !machine.state().replicas(stream.group()).contains(from)) {
                throw JsError.CLUSTER_PEER_NOT_MEMBER.raise();
            }
        }
        StreamConfig config = stream.config();
        if (!asked.tags().isEmpty() || !asked.cluster().isEmpty()) {
            config = config.toBuilder()
                    .placement(new Placement(asked.cluster(), asked.tags(), ""))
                    .build();
        }
        StreamGroups.Found found = placing.find(config, from);
        if (found.group().equals(stream.group())) {
            throw JsError.CLUSTER_NO_PEERS.raise("the stream is there already");
        }
        propose(call, type, StreamApi.moving(stream, config, found), "success", () -> {});
    }

    private void cancelMove(Call call, String type, String account, String name) {
        StreamAssignment stream = existing(account, name);
        if (stream.target().isEmpty()) {
            throw JsError.STREAM_RECONFIGURE_NOT_IN_PROGRESS.raise();
        }
        StreamGroups.Found stay = new StreamGroups.Found("", null);
        propose(call, type, StreamApi.moving(stream, stream.config(), stay), "success", () -> {});
    }

    // --- answers --------------------------------------------------------------------------------------------------

    private void propose(Call call, String type, List<MetaRecord> records, String field, Runnable then) {
        machine.propose(records, accepted -> {
            if (accepted) {
                success(call, type, field);
                then.run();
            } else {
                error(call, type, JsError.CLUSTER_SERVER_MEMBER_CHANGE_INFLIGHT.of());
            }
        });
    }

    private void success(Call call, String type, String field) {
        answer(call, JetStreamJson.object().put("type", TYPE + type).put(field, true));
    }

    private void error(Call call, String type, ApiError error) {
        ObjectNode answer = JetStreamJson.object().put("type", TYPE + type);
        answer.set("error", JetStreamJson.tree(error));
        answer(call, answer);
    }

    private void answer(Call call, ObjectNode answer) {
        if (call.reply() != null) {
            call.client().publish(call.reply(), null, Headers.NONE, JetStreamJson.write(answer));
            call.client().flush();
        }
    }
}
