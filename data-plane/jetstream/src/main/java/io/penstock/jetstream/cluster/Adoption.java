package io.penstock.jetstream.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.jetstream.runtime.Engine;
import io.penstock.jetstream.runtime.Host;
import io.penstock.jetstream.runtime.StreamAssignment;
import io.penstock.jetstream.state.Phase;
import io.penstock.jetstream.state.StreamMachine;
import io.penstock.protocol.jetstream.JetStreamJson;
import io.penstock.protocol.jetstream.JsException;
import io.penstock.protocol.jetstream.StreamConfig;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.agrona.collections.LongHashSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Streams a node had when it was alone become streams of the cluster it joins, with one replica, where they are. The node
 * offers them to the metadata's leader, who takes them unless their names or subjects are in use. Owned by the loop.
 */
final class Adoption {
    private static final Logger LOG = LoggerFactory.getLogger(Adoption.class);
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final String TAKEN = "taken";
    private static final String REFUSED = "refused";

    private final ClusterSettings settings;
    private final Host host;
    private final MetaMachine machine;
    private final StreamApi api;
    private final Peers peers;

    /** Streams whose offer has no answer yet. */
    private final LongHashSet offered = new LongHashSet();

    /** Reasons given before, so that each is told once. */
    private final Set<String> told = new HashSet<>();

    Adoption(ClusterSettings settings, Host host, MetaMachine machine, StreamApi api, Peers peers) {
        this.settings = settings;
        this.host = host;
        this.machine = machine;
        this.api = api;
        this.peers = peers;
        peers.on("adopt", this::adopt);
    }

    /** Offers what the metadata does not have. */
    void step() {
        Engine solo = host.engine(Host.SOLO);
        String leader = machine.leader();
        NodeEntry self = machine.state().node(settings.name());
        if (solo == null || leader.isEmpty() || self == null || self.state() != NodeEntry.State.MEMBER) {
            return;
        }
        for (StreamMachine stream : solo.streams().all()) {
            if (stream.generation() == 0
                    && stream.phase() != Phase.IMPORTING
                    && stream.failure() == null
                    && offered.add(stream.id())) {
                offer(leader, stream);
            }
        }
    }

    private void offer(String leader, StreamMachine stream) {
        ObjectNode question = Peers.question("adopt").put("account", stream.account());
        question.set("config", JetStreamJson.tree(stream.config()));
        if (leader.equals(settings.name())) {
            answered(stream, adopt(leader, question));
        } else {
            peers.ask(leader, question, PATIENCE, answer -> answered(stream, answer));
        }
    }

    private void answered(StreamMachine stream, JsonNode answer) {
        offered.remove(stream.id());
        String reason = answer == null ? "" : answer.path(REFUSED).asText();
        if (!reason.isEmpty() && told.add(stream.id() + reason)) {
            LOG.warn(
                    "stream {} of account {} is from before this node joined the cluster and stays out of it: {}."
                            + " Its data stays on disk",
                    stream.config().name(),
                    stream.account(),
                    reason);
        }
    }

    private ObjectNode adopt(String node, ObjectNode question) {
        ObjectNode answer = JetStreamJson.object();
        if (!machine.leading()) {
            return answer;
        }
        String account = question.path("account").asText();
        byte[] bytes = JetStreamJson.write(question.get("config"));
        StreamConfig config = JetStreamJson.readOwn(bytes, StreamConfig.class);
        StreamAssignment existing = machine.state().stream(account, config.name());
        String group = StreamGroups.solo(node);
        if (existing != null) {
            boolean same = existing.group().equals(group) && existing.config().equals(config);
            return same ? answer.put(TAKEN, true) : answer.put(REFUSED, "the cluster has a stream of that name");
        }
        api.serially(account, () -> take(node, account, config, bytes));
        try {
            api.overlap(account, config);
        } catch (JsException e) {
            return answer.put(REFUSED, e.getMessage());
        }
        return answer.put(TAKEN, true);
    }

    private void take(String node, String account, StreamConfig config, byte[] bytes) {
        try {
            api.overlap(account, config);
        } catch (JsException e) {
            // Told at the next offer.
            api.done(account);
            return;
        }
        LOG.info("takes in stream {} of account {}, which {} had alone", config.name(), account, node);
        MetaRecord record = new MetaRecord.StreamSet(account, config.name(), 0, bytes, StreamGroups.solo(node), null);
        machine.propose(List.of(record), new MetaMachine.Outcome() {
            @Override
            public void applied(boolean accepted) {
                api.done(account);
            }

            @Override
            public void failed(Throwable cause) {
                api.done(account);
            }
        });
    }
}
