package io.penstock.controlplane.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import io.penstock.controlplane.broker.Broker.Node;
import io.penstock.controlplane.broker.Views;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Where the streams of one account live, made from what the broker says of each stream and from the nodes that answer. A node that
 * carries none of them is left out, so that no tenant sees more of the cluster than its own part. Pure.
 */
public final class Topology {
    /** Prefix of the tag that names a node's zone. */
    private static final String ZONE_TAG = "az:";

    private Topology() {}

    /** What a node is to the account's streams. */
    enum NodeState {
        /** Every replica on it is in step. */
        SERVING,
        /** A replica on it is behind its leader. */
        LAGGING,
        /** A leader does not hear of it. */
        GONE;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** As in the API document. */
    public record NodeView(String name, String zone, String version, String state, long leaders, long replicas) {}

    /** As in the API document. */
    public record GroupView(String name, int size, Integer margin, JsonNode cluster, List<String> streams) {}

    /** As in the API document. */
    public record View(String name, List<NodeView> nodes, List<GroupView> groups) {}

    /** One stream: how many replicas it should have, and its cluster as the broker tells it, null where it tells none. */
    private record Placed(String stream, int size, JsonNode cluster) {}

    static View of(List<JsonNode> streams, List<Node> answering) {
        Map<String, Node> known = answering.stream()
                .collect(Collectors.toMap(Node::name, Function.identity(), (first, second) -> first, TreeMap::new));
        List<Placed> placed =
                streams.stream().map(info -> placed(info, answering)).toList();
        return new View(clusterName(placed), nodes(placed, known), groups(placed));
    }

    private static Placed placed(JsonNode info, List<Node> answering) {
        JsonNode cluster = info.path("cluster");
        // A node that stands alone may say nothing of a cluster: then the stream can only be on it.
        if (!cluster.hasNonNull("leader") && cluster.path("replicas").isEmpty() && answering.size() == 1) {
            cluster = JsonNodeFactory.instance
                    .objectNode()
                    .put("leader", answering.getFirst().name());
        }
        return new Placed(
                info.at("/config/name").asText(),
                Math.max(1, info.at("/config/num_replicas").asInt(1)),
                cluster.isObject() ? cluster : null);
    }

    private static String clusterName(List<Placed> placed) {
        return placed.stream()
                .map(one -> one.cluster() == null
                        ? null
                        : one.cluster().path("name").textValue())
                .filter(name -> name != null && !name.isEmpty())
                .findFirst()
                .orElse(null);
    }

    /** Counts of one node, gathered stream by stream. */
    private static final class Tally {
        private long leaders;
        private long replicas;
        private NodeState state = NodeState.SERVING;

        private void worse(NodeState found) {
            if (found.compareTo(state) > 0) {
                state = found;
            }
        }
    }

    private static List<NodeView> nodes(List<Placed> placed, Map<String, Node> known) {
        Map<String, Tally> tallies = new TreeMap<>();
        for (Placed one : placed) {
            if (one.cluster() == null) {
                continue;
            }
            String leader = one.cluster().path("leader").asText("");
            if (!leader.isEmpty()) {
                Tally tally = tallies.computeIfAbsent(leader, name -> new Tally());
                tally.leaders++;
                tally.replicas++;
            }
            for (JsonNode peer : one.cluster().path("replicas")) {
                Tally tally = tallies.computeIfAbsent(peer.path("name").asText(), name -> new Tally());
                tally.replicas++;
                tally.worse(state(peer));
            }
        }
        return tallies.entrySet().stream()
                .map(entry -> view(entry.getKey(), entry.getValue(), Optional.ofNullable(known.get(entry.getKey()))))
                .sorted(Comparator.comparing(NodeView::zone, Comparator.nullsLast(Comparator.naturalOrder()))
                        .thenComparing(NodeView::name))
                .toList();
    }

    private static NodeState state(JsonNode peer) {
        if (peer.path("offline").asBoolean()) {
            return NodeState.GONE;
        }
        return peer.path("current").asBoolean() ? NodeState.SERVING : NodeState.LAGGING;
    }

    private static NodeView view(String name, Tally tally, Optional<Node> node) {
        return new NodeView(
                name,
                node.flatMap(Topology::zone).orElse(null),
                node.map(Node::version).filter(version -> !version.isEmpty()).orElse(null),
                tally.state.word(),
                tally.leaders,
                tally.replicas);
    }

    private static Optional<String> zone(Node node) {
        return node.tags().stream()
                .filter(tag -> tag.startsWith(ZONE_TAG))
                .map(tag -> tag.substring(ZONE_TAG.length()))
                .findFirst();
    }

    private static List<GroupView> groups(List<Placed> placed) {
        Map<String, List<Placed>> byPlace = new TreeMap<>();
        placed.forEach(one ->
                byPlace.computeIfAbsent(place(one), key -> new ArrayList<>()).add(one));
        return byPlace.values().stream()
                .map(Topology::group)
                .sorted(Comparator.comparingInt(
                                (GroupView group) -> group.margin() == null ? Integer.MAX_VALUE : group.margin())
                        .thenComparing(group -> group.streams().getFirst()))
                .toList();
    }

    /** Streams of one Raft group share it; without one, those share that lie on the same nodes. */
    private static String place(Placed one) {
        JsonNode cluster = one.cluster();
        if (cluster == null) {
            return "? " + one.size();
        }
        String group = cluster.path("raft_group").asText("");
        return group.isEmpty() ? "@ " + members(cluster) + " " + one.size() : "group " + group;
    }

    private static SortedSet<String> members(JsonNode cluster) {
        SortedSet<String> names = new TreeSet<>();
        if (cluster.hasNonNull("leader")) {
            names.add(cluster.path("leader").asText());
        }
        cluster.path("replicas").forEach(peer -> names.add(peer.path("name").asText()));
        return names;
    }

    private static GroupView group(List<Placed> members) {
        Placed first = members.getFirst();
        JsonNode cluster = first.cluster();
        return new GroupView(
                cluster == null ? null : cluster.path("raft_group").textValue(),
                members.stream().mapToInt(Placed::size).max().orElse(1),
                margin(first),
                cluster == null ? NullNode.getInstance() : Views.cluster(cluster),
                members.stream().map(Placed::stream).sorted().toList());
    }

    /**
     * How many more replicas may be lost before writes stop. A replica that only lags keeps writes going but is none to spare; without
     * a leader, or with fewer than a majority there, writes have stopped.
     */
    static Integer margin(int replicas, JsonNode cluster) {
        if (cluster == null) {
            return null;
        }
        boolean led =
                cluster.hasNonNull("leader") && !cluster.path("leader").asText().isEmpty();
        int good = led ? 1 : 0;
        int there = good;
        for (JsonNode peer : cluster.path("replicas")) {
            NodeState state = state(peer);
            good += state == NodeState.SERVING ? 1 : 0;
            there += state == NodeState.GONE ? 0 : 1;
        }
        int size = Math.max(replicas, members(cluster).size());
        if (size <= 1) {
            return null;
        }
        int majority = size / 2 + 1;
        if (!led || there < majority) {
            return -1;
        }
        return Math.max(0, good - majority);
    }

    private static Integer margin(Placed one) {
        return margin(one.size(), one.cluster());
    }
}
