package io.penstock.jetstream;

import io.penstock.jetstream.runtime.Assignments;
import io.penstock.jetstream.runtime.Host;
import io.penstock.jetstream.runtime.StreamAssignment;
import io.penstock.protocol.jetstream.StreamConfig;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** What a node has heard of where the streams are: all of it when it begins, later what has got there. */
final class TestingView implements Assignments {
    final Map<String, StreamAssignment> streams;
    private final TestingNodes nodes;
    private final String node;
    private long index;

    TestingView(TestingNodes nodes, String node) {
        this.nodes = nodes;
        this.node = node;
        this.streams = new TreeMap<>(nodes.assignments.streams);
        this.index = nodes.assignments.index;
    }

    /** Changes come in their order, however late. */
    void hear(long number, Runnable change) {
        long late = nodes.lateness.getOrDefault(node, 0L);
        nodes.cluster.loop(node).schedule(late, () -> take(number, change));
    }

    private void take(long number, Runnable change) {
        if (nodes.router.isCutOff(node) || index + 1 < number) {
            nodes.cluster.loop(node).schedule(TestingNodes.SECOND / 20, () -> take(number, change));
        } else {
            index = number;
            change.run();
        }
    }

    @Override
    public void catchUp(Consumer<Boolean> done) {
        awaitIndex(nodes.assignments.index, done);
    }

    private void awaitIndex(long wanted, Consumer<Boolean> done) {
        if (nodes.router.isCutOff(node) || index >= wanted) {
            done.accept(index >= wanted);
        } else {
            nodes.cluster.loop(node).schedule(TestingNodes.SECOND / 100, () -> awaitIndex(wanted, done));
        }
    }

    @Override
    public StreamAssignment get(String account, String stream) {
        return streams.get(stream);
    }

    @Override
    public Collection<StreamAssignment> inGroup(String group) {
        return streams.values().stream()
                .filter(a -> a.group().equals(group) || a.target().equals(group))
                .toList();
    }

    @Override
    public long appliedIndex() {
        return index;
    }

    @Override
    public List<String> replicas(String group) {
        return List.copyOf(nodes.cluster.nodes());
    }

    @Override
    public void moved(String account, String stream, long generation, long version) {
        StreamAssignment present = nodes.router.isCutOff(node) ? null : nodes.assignments.streams.get(stream);
        if (present != null && present.version() == version && !present.target().isEmpty()) {
            int replicas = present.target().startsWith(Host.SOLO) ? 1 : 3;
            StreamConfig config = present.config().toBuilder()
                    .numReplicas(replicas)
                    .subjects(nodes.subjectsOnceMoved == null ? present.config().subjects() : nodes.subjectsOnceMoved)
                    .build();
            nodes.assign(stream, config, present.target(), "");
        }
    }
}
