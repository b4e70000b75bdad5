package io.penstock.jetstream.runtime;

import io.penstock.consensus.GroupLoop;
import io.penstock.consensus.RaftGroup;
import io.penstock.consensus.Replica;
import io.penstock.jetstream.state.ConsumerState;
import io.penstock.jetstream.state.StreamMachine;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Tells accounts who leads their replicated streams and consumers, and when nobody can. A group without a leader for
 * {@link #LOST_NANOS} has lost its quorum; that is told then, and again each time as long has passed. Whoever finds a
 * leader sooner tells nothing: an election is no alarm. Owned by the loop.
 */
final class LeaderNews {
    static final long LOST_NANOS = 20_000_000_000L;

    private final Host host;

    /** Of groups without a leader. */
    private final Map<String, GroupLoop.Timer> leaderless = new TreeMap<>();

    LeaderNews(Host host) {
        this.host = host;
    }

    /** The role of a group changed, or its leader. */
    void roleChanged(Engine engine) {
        if (!engine.replicated() || engine.isStopped() || !engine.log().leader().isEmpty()) {
            forget(engine.group());
        } else if (!leaderless.containsKey(engine.group())) {
            wait(engine);
        }
    }

    private void wait(Engine engine) {
        leaderless.put(engine.group(), host.loop().schedule(LOST_NANOS, () -> lost(engine)));
    }

    /** The group is not this node's any more, or has a leader. */
    void forget(String group) {
        GroupLoop.Timer timer = leaderless.remove(group);
        if (timer != null) {
            timer.cancel();
        }
    }

    /** The node stops: nothing more is told. */
    void stop() {
        leaderless.values().forEach(GroupLoop.Timer::cancel);
        leaderless.clear();
    }

    private void lost(Engine engine) {
        leaderless.remove(engine.group());
        boolean ours = host.engine(engine.group()) == engine && !host.stopped() && !engine.isStopped();
        if (!ours || !engine.log().leader().isEmpty()) {
            return;
        }
        wait(engine);
        List<Replica> replicas = replicas(engine);
        String self = host.options().serverName();
        boolean votes = replicas.stream().anyMatch(r -> r.voter() && r.node().equals(self));
        if (!votes || host.assignments().expelled()) {
            // Others decide, and need not be without a leader.
            return;
        }
        for (StreamMachine stream : new ArrayList<>(engine.streams().all())) {
            if (Hidden.is(stream)) {
                continue;
            }
            Advisories advisories = host.account(stream.account()).advisories();
            String name = stream.config().name();
            advisories.quorumLost(name, replicas);
            for (ConsumerState consumer : stream.consumers()) {
                advisories.quorumLost(name, consumer.name(), replicas);
            }
        }
        host.flushClients();
    }

    /** This node leads a stream from now on. */
    void leads(StreamRuntime stream) {
        if (!stream.engine().replicated()) {
            return;
        }
        stream.account().advisories().leaderElected(stream.name(), replicas(stream.engine()));
        stream.machine().consumers().forEach(consumer -> leads(stream, consumer.name()));
    }

    /** This node leads a consumer from now on. */
    void leads(StreamRuntime stream, String consumer) {
        if (stream.engine().replicated()) {
            stream.account().advisories().leaderElected(stream.name(), consumer, replicas(stream.engine()));
        }
    }

    private static List<Replica> replicas(Engine engine) {
        return engine.log() instanceof RaftGroup group ? group.replicas() : List.of();
    }
}
