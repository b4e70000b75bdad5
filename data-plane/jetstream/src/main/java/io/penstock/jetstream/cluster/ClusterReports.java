package io.penstock.jetstream.cluster;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.consensus.RaftGroup;
import io.penstock.consensus.Replica;
import io.penstock.consensus.ReplicatedLog.Role;
import io.penstock.jetstream.api.ClusterViews;
import io.penstock.jetstream.runtime.Engine;
import io.penstock.jetstream.runtime.Host;
import io.penstock.jetstream.runtime.StreamAssignment;
import io.penstock.jetstream.state.StreamMachine;
import io.penstock.protocol.jetstream.GoTime;
import io.penstock.protocol.jetstream.JetStreamJson;
import io.penstock.protocol.jetstream.PeerInfo;
import io.penstock.protocol.jetstream.StorageType;
import io.penstock.storage.StreamState;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/** What monitoring shows of the cluster. Called on the loop. */
public final class ClusterReports {
    private final Host host;
    private final MetaMachine machine;
    private final GroupHosting groups;
    private final Nodes nodes;
    private final ClusterSettings settings;
    private final Standing standing;

    ClusterReports(
            Host host,
            MetaMachine machine,
            GroupHosting groups,
            Nodes nodes,
            ClusterSettings settings,
            Standing standing) {
        this.standing = standing;
        this.host = host;
        this.machine = machine;
        this.groups = groups;
        this.nodes = nodes;
        this.settings = settings;
    }

    /** The metadata's group, as {@code meta_cluster} shows it. */
    public ObjectNode meta() {
        ObjectNode node = JetStreamJson.object();
        node.put("name", settings.cluster());
        String leader = machine.leader();
        if (!leader.isEmpty()) {
            node.put("leader", leader).put("peer", ClusterViews.shortName(leader));
        }
        RaftGroup log = machine.log();
        List<Replica> replicas = log == null ? List.of() : log.replicas();
        if (machine.leading()) {
            ArrayNode others = node.putArray("replicas");
            for (Replica replica : replicas) {
                if (!replica.leader()) {
                    others.add(JetStreamJson.tree(peer(replica)));
                }
            }
        }
        long voters = replicas.stream().filter(Replica::voter).count();
        node.put("cluster_size", replicas.size());
        node.put("quorum_needed", voters / 2 + 1);
        node.put("pending", 0).put("pending_requests", 0).put("pending_infos", 0);
        node.putObject("snapshot").put("pending_entries", 0).put("pending_size", 0);
        return node;
    }

    private PeerInfo peer(Replica replica) {
        boolean offline = replica.offline() || !nodes.online(replica.node());
        return new PeerInfo(
                replica.node(),
                replica.current() && !offline,
                offline,
                Math.max(0, replica.lastSeenNanos()),
                Math.max(0, replica.lag()),
                ClusterViews.shortName(replica.node()));
    }

    /** Replicated streams and consumers on this node. */
    private int haAssets() {
        int assets = 0;
        for (Engine engine : host.engines()) {
            if (engine.replicated()) {
                assets += engine.streams().all().stream()
                        .mapToInt(s -> 1 + s.consumers().size())
                        .sum();
            }
        }
        return assets;
    }

    /** What keeps the metadata from being served, in the words clients know; null when nothing does. */
    public String problem() {
        if (!machine.started()) {
            return "JetStream is still recovering meta layer";
        }
        if (standing.isRemoved()) {
            return "this server was removed from the cluster: empty its store directory to bring it back";
        }
        return machine.leader().isEmpty() ? "JetStream has not established contact with a meta leader" : null;
    }

    /**
     * What this node carries, led here or not.
     *
     * @param memory bytes of memory storage
     * @param storage bytes of files
     */
    public record Hosted(
            long memory, long storage, long streams, long consumers, long messages, long bytes, int haAssets) {
        /** Nothing. */
        public static final Hosted NONE = new Hosted(0, 0, 0, 0, 0, 0, 0);
    }

    /**
     * Whether, as far as the metadata's leader hears, every group has all the replicas it should have, and every one of
     * them is current.
     */
    public boolean whole() {
        Set<String> whole = new HashSet<>();
        for (String node : machine.state().nodes().keySet()) {
            NodeStatus status = nodes.status(node);
            if (status != null && nodes.online(node)) {
                status.led().stream().filter(NodeStatus.Led::whole).forEach(led -> {
                    GroupEntry group = machine.state().group(led.group());
                    if (group != null
                            && group.rejoining().isEmpty()
                            && Set.copyOf(led.current()).equals(Set.copyOf(group.target()))) {
                        whole.add(led.group());
                    }
                });
            }
        }
        return machine.leading() && whole.containsAll(machine.state().groups().keySet());
    }

    /** What this node carries. */
    public Hosted hosted() {
        long memory = 0;
        long storage = 0;
        long streams = 0;
        long consumers = 0;
        long messages = 0;
        for (Engine engine : host.engines()) {
            for (StreamMachine stream : engine.streams().all()) {
                StreamState state = stream.store().state();
                boolean inMemory = stream.config().storage() == StorageType.MEMORY && !engine.replicated();
                memory += inMemory ? state.bytes() : 0;
                storage += inMemory ? 0 : state.bytes();
                streams++;
                consumers += stream.consumers().size();
                messages += state.messages();
            }
        }
        return new Hosted(memory, storage, streams, consumers, messages, memory + storage, haAssets());
    }

    /** A checksum of the metadata: equal on nodes that have applied the same entries. */
    public long digest() {
        CRC32C crc = new CRC32C();
        crc.update(machine.state().encode());
        return crc.getValue();
    }

    /** The last entry of the metadata's log applied here. */
    public long applied() {
        return machine.appliedIndex();
    }

    /** Names of the nodes that have, or are to have, a replica of a stream; empty when there is no such stream. */
    public List<String> replicas(String account, String stream) {
        StreamAssignment found = machine.state().stream(account, stream);
        return found == null ? List.of() : machine.state().replicas(found.group());
    }

    /** Whether this node leads the metadata. */
    public boolean leadsMeta() {
        return machine.leading();
    }

    /** What keeps this node from serving its streams, or new ones, or null when nothing does. */
    public String behind() {
        for (String name : groups.groups()) {
            if (groups.log(name).leader().isEmpty()) {
                Optional<StreamAssignment> first =
                        machine.state().inGroup(name).stream().findFirst();
                if (first.isPresent()) {
                    return "JetStream stream '" + first.get().account() + " > " + first.get().stream()
                            + "' is not current: group " + name + " has no leader";
                }
            }
        }
        return new Readiness(host, machine, groups, nodes, settings).problem();
    }

    /**
     * The groups of this node, as {@code /raftz} shows them.
     *
     * @param wanted only this one, empty for all
     */
    public ObjectNode raft(String systemAccount, String wanted) {
        TreeMap<String, RaftGroup> all = new TreeMap<>();
        if (machine.log() != null) {
            all.put(MetaMachine.GROUP, machine.log());
        }
        groups.groups().forEach(name -> all.put(name, groups.log(name)));
        ObjectNode node = JetStreamJson.object();
        all.forEach((name, log) -> {
            if (wanted.isEmpty() || wanted.equals(name)) {
                node.set(name, raft(name, log, systemAccount));
            }
        });
        return node;
    }

    private ObjectNode raft(String name, RaftGroup log, String systemAccount) {
        Engine engine = host.engine(name);
        long since = engine == null ? machine.leaderSince() : engine.leaderSince();
        List<Replica> replicas = log.replicas();
        long voters = replicas.stream().filter(Replica::voter).count();
        ObjectNode node = JetStreamJson.object();
        node.put("id", ClusterViews.shortName(settings.name()));
        node.put("state", state(log.role()));
        node.put("size", replicas.size());
        node.put("quorum_needed", voters / 2 + 1);
        node.put("committed", log.appliedIndex());
        node.put("applied", log.appliedIndex());
        if (!log.leader().isEmpty()) {
            node.put("leader", ClusterViews.shortName(log.leader()));
        }
        if (since > 0) {
            node.put("leader_since", GoTime.format(GoTime.instant(since)));
        }
        node.put("ever_had_leader", since > 0);
        node.put("term", log.term());
        node.put("pterm", log.term());
        node.put("pindex", log.lastIndex());
        node.put("system_account", true);
        node.put("traffic_account", systemAccount);
        node.put("ipq_proposal_len", 0)
                .put("ipq_entry_len", 0)
                .put("ipq_resp_len", 0)
                .put("ipq_apply_len", 0);
        node.putObject("wal").put("messages", log.lastIndex()).put("last_seq", log.lastIndex());
        ObjectNode peers = node.putObject("peers");
        for (Replica replica : replicas) {
            if (replica.node().equals(settings.name())) {
                continue;
            }
            ObjectNode peer = peers.putObject(ClusterViews.shortName(replica.node()));
            peer.put("name", replica.node()).put("known", true);
            if (replica.lag() >= 0) {
                peer.put("last_replicated_index", Math.max(0, log.lastIndex() - replica.lag()));
            }
            if (replica.lastSeenNanos() >= 0) {
                peer.put("last_seen", GoTime.formatDuration(replica.lastSeenNanos()));
            }
        }
        return node;
    }

    private static String state(Role role) {
        return switch (role) {
            case LEADER -> "LEADER";
            case FOLLOWER -> "FOLLOWER";
            case CANDIDATE -> "CANDIDATE";
            case LEARNER -> "OBSERVER";
            case STOPPED -> "CLOSED";
        };
    }

    /** Nodes and groups as the console shows them. */
    public ObjectNode nodes() {
        ObjectNode node = JetStreamJson.object();
        ArrayNode all = node.putArray("nodes");
        for (NodeEntry entry : new ArrayList<>(machine.state().nodes().values())) {
            ObjectNode one = all.addObject();
            one.put("name", entry.name()).put("state", entry.state().name().toLowerCase(java.util.Locale.ROOT));
            one.put("online", nodes.online(entry.name()));
            entry.tags().forEach(one.putArray("tags")::add);
        }
        return node;
    }
}
