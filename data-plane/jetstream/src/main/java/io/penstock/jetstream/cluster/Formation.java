package io.penstock.jetstream.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.consensus.GroupLoop;
import io.penstock.jetstream.cluster.MetaStore.Founding;
import io.penstock.protocol.jetstream.JetStreamJson;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a node with an empty store finds its place. When every node of the configuration is there, all new and linked with
 * each other, the one with the lowest name founds the cluster with all of them as voters, by name and incarnation. A node
 * that meets a cluster takes part as a founder when it is named among them as it is now, and joins as a newcomer
 * otherwise: whoever lost its disk has another incarnation and does not vote on what it has forgotten. Owned by the loop.
 */
final class Formation {
    private static final Logger LOG = LoggerFactory.getLogger(Formation.class);
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    /** Origins of clusters are times in steps this large, generations count within. */
    private static final int ORIGIN_SHIFT = 20;

    private final ClusterSettings settings;
    private final MetaStore store;
    private final Peers peers;
    private final GroupLoop loop;
    private final String incarnation;

    /** Takes part from now on. */
    private final Consumer<Founding> found;

    private Founding founding;
    private boolean asking;

    Formation(
            ClusterSettings settings,
            MetaStore store,
            Peers peers,
            GroupLoop loop,
            String incarnation,
            Consumer<Founding> found) {
        this.settings = settings;
        this.store = store;
        this.peers = peers;
        this.loop = loop;
        this.incarnation = incarnation;
        this.found = found;
        this.founding = store.founding();
        peers.on("hello", (peer, question) -> hello());
        peers.on("found", (peer, question) -> founded(question));
    }

    /** How the cluster was formed, as far as this node knows; null before. */
    Founding founding() {
        return founding;
    }

    /** What this node was drawn when its store was empty. */
    String incarnation() {
        return incarnation;
    }

    /** Looks around, when this node has no place yet. */
    void step() {
        if (founding != null || asking) {
            return;
        }
        asking = true;
        Map<String, JsonNode> answers = new TreeMap<>();
        peers.askAll(Peers.question("hello"), PATIENCE, answers::put, () -> {
            asking = false;
            if (founding == null) {
                decide(answers);
            }
        });
    }

    private ObjectNode hello() {
        ObjectNode answer = JetStreamJson.object().put("incarnation", incarnation);
        peers.up().forEach(answer.putArray("linked")::add);
        if (founding != null) {
            answer.set("founding", write(founding));
        }
        return answer;
    }

    private void decide(Map<String, JsonNode> answers) {
        for (JsonNode answer : answers.values()) {
            if (answer.has("founding")) {
                meet(read(answer.get("founding")));
                return;
            }
        }
        int expected = settings.expectedNodes().getAsInt();
        boolean complete = answers.size() + 1 >= expected
                && answers.values().stream().allMatch(a -> a.path("linked").size() + 1 >= expected);
        boolean lowest =
                answers.keySet().stream().allMatch(name -> settings.name().compareTo(name) < 0);
        if (complete && lowest) {
            Map<String, String> voters = new TreeMap<>();
            voters.put(settings.name(), incarnation);
            answers.forEach((name, answer) ->
                    voters.put(name, answer.path("incarnation").asText()));
            LOG.info("forms the cluster {} with {}", settings.cluster(), voters.keySet());
            long origin = (loop.now() / 1_000_000) << ORIGIN_SHIFT;
            keep(new Founding(origin, voters));
            ObjectNode message = Peers.question("found");
            message.set("founding", write(founding));
            peers.tellAll(message);
        }
    }

    /** Somebody else formed the cluster. */
    private void meet(Founding theirs) {
        if (incarnation.equals(theirs.voters().get(settings.name()))) {
            LOG.info("takes part in forming the cluster {}", settings.cluster());
        } else {
            LOG.info("joins the cluster {}", settings.cluster());
        }
        keep(theirs);
    }

    private ObjectNode founded(ObjectNode question) {
        Founding theirs = read(question.get("founding"));
        if (founding == null && incarnation.equals(theirs.voters().get(settings.name()))) {
            meet(theirs);
        } else if (founding != null && founding.origin() != theirs.origin()) {
            LOG.error(
                    "two clusters were formed under the name {}: this node belongs to one, {} to the other."
                            + " Check that the routes of all nodes name all nodes, then empty the store of one side",
                    settings.cluster(),
                    new TreeSet<>(theirs.voters().keySet()));
        }
        return null;
    }

    private void keep(Founding next) {
        store.founding(next);
        founding = next;
        found.accept(next);
    }

    private static ObjectNode write(Founding founding) {
        ObjectNode node = JetStreamJson.object().put("origin", founding.origin());
        ObjectNode voters = node.putObject("voters");
        founding.voters().forEach(voters::put);
        return node;
    }

    private static Founding read(JsonNode node) {
        Map<String, String> voters = new TreeMap<>();
        node.path("voters")
                .properties()
                .forEach(e -> voters.put(e.getKey(), e.getValue().asText()));
        return new Founding(node.path("origin").asLong(), voters);
    }
}
