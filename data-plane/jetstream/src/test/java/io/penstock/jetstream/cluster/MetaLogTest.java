package io.penstock.jetstream.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.consensus.RaftGroup;
import io.penstock.consensus.ReplicatedLog.Role;
import io.penstock.consensus.TestingCluster;
import io.penstock.jetstream.runtime.StreamAssignment;
import io.penstock.storage.disk.TestingDisk;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** How much of its log the metadata keeps. */
class MetaLogTest {
    private static final long SECOND = 1_000_000_000L;

    private static final class Nobody implements MetaMachine.Observer {
        @Override
        public void role(Role role, String leader) {}

        @Override
        public void replaced() {}

        @Override
        public void node(NodeEntry before, NodeEntry node) {}

        @Override
        public void group(GroupEntry before, GroupEntry group) {}

        @Override
        public void stream(StreamAssignment stream) {}

        @Override
        public void removed(String account, String stream, long generation) {}
    }

    /** As the engine does it: a checkpoint lets the log go up to the one before it, up to itself when nothing is new. */
    private static final class Keeping {
        private long checkpoint;
        private long gone;

        RaftGroup over(RaftGroup group) {
            return (RaftGroup) Proxy.newProxyInstance(
                    MetaLogTest.class.getClassLoader(), new Class<?>[] {RaftGroup.class}, (self, method, arguments) -> {
                        if (method.getName().equals("checkpointed") && (long) arguments[0] > 0) {
                            gone = checkpoint;
                            checkpoint = (long) arguments[0];
                        }
                        try {
                            return method.invoke(group, arguments);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
        }
    }

    @Test
    void aQuietLogIsLetGoToItsEnd() {
        TestingCluster cluster = new TestingCluster(1, "n1");
        TestingDisk disk = new TestingDisk();
        AtomicInteger snapshots = new AtomicInteger();
        disk.failWith((operation, path) -> {
            if (operation.equals("rename") && path.toString().contains("snapshot-")) {
                snapshots.incrementAndGet();
            }
        });
        MetaMachine machine =
                new MetaMachine(cluster.loop("n1"), new MetaStore(disk, Path.of("/meta")), Runnable::run, new Nobody());
        RaftGroup group = cluster.engine("n1").open(MetaMachine.GROUP, cluster.loop("n1"), List.of("n1"), machine);
        Keeping keeping = new Keeping();
        machine.start(keeping.over(group));
        cluster.runUntil(machine::leading, 30 * SECOND);
        byte[] config = "{\"name\":\"S\",\"num_replicas\":1}".getBytes(StandardCharsets.UTF_8);
        cluster.loop("n1")
                .execute(() ->
                        machine.propose(List.of(new MetaRecord.StreamSet("A", "S", 0, config, "G", null)), fits -> {}));
        cluster.run(60 * SECOND);

        assertThat(machine.state().stream("A", "S")).isNotNull();
        assertThat(keeping.gone).isEqualTo(group.lastIndex());
        assertThat(snapshots).hasValue(1);

        cluster.run(60 * SECOND);
        assertThat(snapshots).as("one snapshot is enough").hasValue(1);
    }
}
