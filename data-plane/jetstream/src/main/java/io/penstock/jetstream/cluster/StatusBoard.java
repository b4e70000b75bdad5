package io.penstock.jetstream.cluster;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.consensus.RaftGroup;
import io.penstock.consensus.Replica;
import io.penstock.consensus.ReplicatedLog.Role;
import io.penstock.jetstream.runtime.AccountRuntime;
import io.penstock.jetstream.runtime.Engine;
import io.penstock.jetstream.runtime.Host;
import io.penstock.jetstream.runtime.Resources;
import io.penstock.jetstream.runtime.StreamRuntime;
import io.penstock.jetstream.state.StreamMachine;
import io.penstock.protocol.jetstream.JetStreamJson;
import io.penstock.protocol.jetstream.StorageType;
import io.penstock.protocol.jetstream.StreamConfig;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/** What the nodes tell each other of themselves: storage, usage, accounts, groups led. Owned by the loop. */
final class StatusBoard {
    private static final long FRESH_NANOS = 1_000_000_000L;

    private final Host host;
    private final GroupHosting groups;
    private final ClusterSettings settings;
    private final String incarnation;
    private final Peers peers;

    /** Who leads the metadata. */
    private final Supplier<String> leader;

    private final Map<String, NodeStatus> latest = new TreeMap<>();
    private final Map<String, Long> heard = new HashMap<>();
    private List<String> toldAccounts = List.of();

    /** This node's own status, up to a second old. */
    private NodeStatus lately;

    private long latelyAt;

    StatusBoard(
            Host host,
            GroupHosting groups,
            ClusterSettings settings,
            String incarnation,
            Peers peers,
            Supplier<String> leader) {
        this.leader = leader;
        this.host = host;
        this.groups = groups;
        this.settings = settings;
        this.incarnation = incarnation;
        this.peers = peers;
        peers.on("status", (peer, question) -> {
            take(peer, question);
            return null;
        });
        peers.on("status?", (peer, question) -> JetStreamJson.tree(own()));
        host.elsewhere(this::elsewhere);
    }

    void take(String peer, ObjectNode node) {
        ObjectNode fields = node.deepCopy();
        fields.remove("ask");
        NodeStatus status = JetStreamJson.readOwn(JetStreamJson.write(fields), NodeStatus.class);
        NodeStatus before = latest.put(peer, status);
        heard.put(peer, host.loop().steady());
        if (before == null || !before.accounts().equals(status.accounts())) {
            status.accounts().stream()
                    .filter(account -> host.account(account).client() == null)
                    .forEach(settings.accounts());
        }
    }

    /** Tells the others, when it is time or accounts came into use. */
    void tell(boolean due) {
        if (due || !accounts().equals(toldAccounts)) {
            NodeStatus own = own();
            toldAccounts = own.accounts();
            ObjectNode message = Peers.question("status");
            message.setAll(JetStreamJson.tree(own));
            peers.tellAll(message);
        }
    }

    /** The latest of a peer, or null. */
    NodeStatus of(String node) {
        if (!node.equals(settings.name())) {
            return latest.get(node);
        }
        if (lately == null || host.loop().steady() - latelyAt > FRESH_NANOS) {
            lately = own();
            latelyAt = host.loop().steady();
        }
        return lately;
    }

    Collection<NodeStatus> others() {
        return latest.values();
    }

    /** Nanoseconds since a peer was last heard; a large number when it never was. */
    long silence(String node) {
        Long at = heard.get(node);
        return at == null ? Long.MAX_VALUE : host.loop().steady() - at;
    }

    private List<String> accounts() {
        List<String> used = new ArrayList<>();
        for (AccountRuntime account : host.accounts()) {
            if (account.client() != null) {
                used.add(account.name());
            }
        }
        return used;
    }

    NodeStatus own() {
        long used = 0;
        long usedMemory = 0;
        int assets = 0;
        int streams = 0;
        for (Engine engine : host.engines()) {
            for (StreamMachine stream : engine.streams().all()) {
                StreamConfig config = stream.config();
                long bytes = Math.max(config.maxBytes(), stream.store().state().bytes());
                if (config.storage() == StorageType.MEMORY && !engine.replicated()) {
                    usedMemory += bytes;
                } else {
                    used += bytes;
                }
                streams++;
                if (engine.replicated()) {
                    assets += 1 + stream.consumers().size();
                }
            }
        }
        long capacity = limit(host.options().maxStorage());
        return new NodeStatus(
                settings.name(),
                incarnation,
                Math.max(0, capacity - used),
                Math.max(0, limit(host.options().maxMemory()) - usedMemory),
                capacity,
                assets,
                streams,
                accounts(),
                usage(),
                led(),
                leader.get());
    }

    private static long limit(long configured) {
        return configured < 0 ? Long.MAX_VALUE / 4 : configured;
    }

    private Map<String, Map<Integer, NodeStatus.Usage>> usage() {
        Map<String, Map<Integer, NodeStatus.Usage>> all = new TreeMap<>();
        for (AccountRuntime account : host.accounts()) {
            for (StreamRuntime stream : account.streams()) {
                StreamConfig config = stream.machine().config();
                long bytes = stream.machine().store().state().bytes();
                boolean memory = config.storage() == StorageType.MEMORY;
                NodeStatus.Usage one = new NodeStatus.Usage(
                        memory ? bytes : 0,
                        memory ? 0 : bytes,
                        stream.machine().consumers().size());
                all.computeIfAbsent(account.name(), a -> new TreeMap<>())
                        .merge(config.numReplicas(), one, NodeStatus.Usage::plus);
            }
        }
        return all;
    }

    private List<NodeStatus.Led> led() {
        List<NodeStatus.Led> led = new ArrayList<>();
        for (String name : groups.groups()) {
            RaftGroup log = groups.log(name);
            Engine engine = host.engine(name);
            if (log.role() != Role.LEADER || engine == null) {
                continue;
            }
            List<Replica> replicas = log.replicas();
            led.add(new NodeStatus.Led(
                    name,
                    engine.leaderSince() == 0 ? 0 : host.loop().now() - engine.leaderSince(),
                    replicas.stream()
                            .filter(r -> r.voter() && r.current() && !r.offline())
                            .map(Replica::node)
                            .toList(),
                    replicas.stream().allMatch(r -> r.voter() && (r.leader() || (r.current() && !r.offline())))));
        }
        return led;
    }

    /** What an account uses on other nodes. */
    private Resources.Usage elsewhere(String account, int tier) {
        Resources.Usage sum = Resources.Usage.NONE;
        for (NodeStatus status : latest.values()) {
            for (var entry : status.usage().getOrDefault(account, Map.of()).entrySet()) {
                if (tier == 0 || tier == entry.getKey()) {
                    NodeStatus.Usage usage = entry.getValue();
                    int times = tier == 0 ? entry.getKey() : 1;
                    sum = sum.plus(new Resources.Usage(
                            usage.memory() * times, usage.storage() * times, 0, 0, 0, usage.consumers()));
                }
            }
        }
        return sum;
    }
}
