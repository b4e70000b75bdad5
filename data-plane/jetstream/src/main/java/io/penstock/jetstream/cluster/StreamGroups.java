package io.penstock.jetstream.cluster;

import io.penstock.jetstream.runtime.Host;
import io.penstock.protocol.jetstream.JsError;
import io.penstock.protocol.jetstream.JsException;
import io.penstock.protocol.jetstream.StorageType;
import io.penstock.protocol.jetstream.StreamConfig;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/** Finds the group of a stream, or makes up one. */
final class StreamGroups {
    private static final String DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    private static final int DEFAULT_REPLICAS = 3;

    private final MetaMachine machine;
    private final Nodes nodes;
    private final Random random;

    /** Where a stream goes; {@code made} is a group that must be set first, or null. */
    record Found(String group, MetaRecord.GroupSet made) {}

    StreamGroups(MetaMachine machine, Nodes nodes, Random random) {
        this.machine = machine;
        this.nodes = nodes;
        this.random = random;
    }

    /** The group of streams that only one node has. */
    static String solo(String node) {
        return Host.SOLO + ":" + node;
    }

    /** The node of such a group, null for another group. */
    static String soloNode(String group) {
        return group.startsWith(Host.SOLO + ":") ? group.substring(Host.SOLO.length() + 1) : null;
    }

    /**
     * Where a new stream goes.
     *
     * @throws JsException 10005 when no nodes will do, with the reasons
     */
    Found find(StreamConfig config) {
        return find(config, "");
    }

    /**
     * @param without node that is not to have a replica; empty for none
     */
    Found find(StreamConfig config, String without) {
        boolean memory = config.storage() == StorageType.MEMORY && config.numReplicas() == 1;
        List<Placement.Candidate> candidates = nodes.candidates(memory).stream()
                .filter(c -> !c.name().equals(without))
                .toList();
        String cluster = config.placement() == null ? "" : config.placement().cluster();
        List<String> tags =
                config.placement() == null ? List.of() : config.placement().tags();
        Placement.Wanted wanted = nodes.wanted(config.numReplicas(), cluster, tags, config.maxBytes(), List.of());
        Placement.Choice choice = Placement.choose(candidates, wanted);
        if (!choice.found()) {
            throw JsError.CLUSTER_NO_PEERS.raise(choice.problem());
        }
        if (config.numReplicas() == 1) {
            return new Found(solo(choice.nodes().getFirst()), null);
        }
        Set<String> eligible = Placement.eligible(candidates, wanted);
        GroupEntry best = machine.state().groups().values().stream()
                .filter(g -> serves(g, config.numReplicas(), eligible))
                .min(Comparator.comparingInt((GroupEntry g) -> machine.state().streamsIn(g.name()))
                        .thenComparing(GroupEntry::name))
                .orElse(null);
        if (best != null) {
            return new Found(best.name(), null);
        }
        MetaRecord.GroupSet made = make(config.numReplicas(), choice.nodes(), "");
        return new Found(made.name(), made);
    }

    private static boolean serves(GroupEntry group, int replicas, Set<String> eligible) {
        return group.replicas() == replicas
                && group.target().size() == replicas
                && eligible.containsAll(group.target());
    }

    /** Whether a stream may stay in its group under another configuration. */
    boolean mayStay(String group, StreamConfig config) {
        String cluster = config.placement() == null ? "" : config.placement().cluster();
        List<String> tags =
                config.placement() == null ? List.of() : config.placement().tags();
        List<Placement.Candidate> candidates = nodes.candidates(false).stream()
                .map(c -> new Placement.Candidate(
                        c.name(), c.cluster(), c.tags(), true, false, c.zone(), c.free(), c.capacity(), 0, 0))
                .toList();
        Set<String> eligible =
                Placement.eligible(candidates, nodes.wanted(config.numReplicas(), cluster, tags, 0, List.of()));
        String node = soloNode(group);
        if (node != null) {
            return config.numReplicas() == 1 && eligible.contains(node);
        }
        GroupEntry entry = machine.state().group(group);
        return entry != null && entry.replicas() == config.numReplicas() && eligible.containsAll(entry.target());
    }

    private MetaRecord.GroupSet make(int replicas, List<String> members, String first) {
        List<List<String>> others = machine.state().groups().values().stream()
                .map(GroupEntry::ranked)
                .toList();
        List<String> target = members.stream().sorted().toList();
        List<String> ranked = new ArrayList<>(LeaderBalancer.rank(target, others));
        if (ranked.remove(first)) {
            ranked.addFirst(first);
        }
        return new MetaRecord.GroupSet(name(replicas), replicas, target, ranked);
    }

    private String name(int replicas) {
        StringBuilder name = new StringBuilder("S-R" + replicas + "F-");
        for (int i = 0; i < 8; i++) {
            name.append(DIGITS.charAt(random.nextInt(DIGITS.length())));
        }
        return name.toString();
    }

    /** The next group every cluster should have: one for each node to lead; null when all are there. */
    MetaRecord.GroupSet missingDefault() {
        List<Placement.Candidate> candidates =
                nodes.candidates(false).stream().map(this::byGroups).toList();
        if (candidates.size() < DEFAULT_REPLICAS) {
            return null;
        }
        for (Placement.Candidate node : candidates) {
            boolean leads = machine.state().groups().values().stream()
                    .anyMatch(g -> g.replicas() == DEFAULT_REPLICAS
                            && !g.ranked().isEmpty()
                            && g.ranked().getFirst().equals(node.name()));
            if (!leads && node.online() && !node.draining()) {
                Placement.Choice choice = Placement.choose(candidates, nodes.even(DEFAULT_REPLICAS, node.name()));
                if (choice.found() && choice.nodes().contains(node.name())) {
                    return make(DEFAULT_REPLICAS, choice.nodes(), node.name());
                }
            }
        }
        return null;
    }

    /**
     * A group's target without a node that leaves, with another in its place where there is one; or filled up where
     * replicas are missing.
     *
     * @param leaving node that is not to be in it; empty for none
     */
    MetaRecord.GroupSet retarget(GroupEntry group, String leaving) {
        List<String> staying =
                group.target().stream().filter(n -> !n.equals(leaving)).toList();
        Set<String> tags = new TreeSet<>();
        machine.state().inGroup(group.name()).forEach(a -> {
            if (a.config().placement() != null) {
                tags.addAll(a.config().placement().tags());
            }
        });
        List<Placement.Candidate> candidates = nodes.candidates(false).stream()
                .filter(c -> !c.name().equals(leaving))
                .map(c -> staying.contains(c.name()) ? always(c) : c)
                .toList();
        Placement.Choice choice =
                Placement.choose(candidates, nodes.wanted(group.replicas(), "", List.copyOf(tags), 0, staying));
        List<String> target = new ArrayList<>(staying);
        if (choice.found() && choice.nodes().containsAll(staying)) {
            target = new ArrayList<>(choice.nodes());
        }
        target.sort(Comparator.naturalOrder());
        List<String> ranked = new ArrayList<>(group.ranked());
        ranked.retainAll(target);
        target.stream().filter(n -> !ranked.contains(n)).forEach(ranked::add);
        return new MetaRecord.GroupSet(group.name(), group.replicas(), target, ranked);
    }

    /** Groups weigh, not what is in them yet: they are made before any stream. */
    private Placement.Candidate byGroups(Placement.Candidate c) {
        int groups = (int) machine.state().groups().values().stream()
                .filter(g -> g.target().contains(c.name()))
                .count();
        return new Placement.Candidate(
                c.name(),
                c.cluster(),
                c.tags(),
                c.online(),
                c.draining(),
                c.zone(),
                c.free(),
                c.capacity(),
                groups,
                c.streams());
    }

    /** Whoever has a replica keeps it, whatever it looks like now. */
    private static Placement.Candidate always(Placement.Candidate c) {
        return new Placement.Candidate(
                c.name(), c.cluster(), c.tags(), true, false, c.zone(), Long.MAX_VALUE / 4, c.capacity(), 0, 0);
    }
}
