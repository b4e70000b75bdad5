package io.penstock.jetstream;

import static io.penstock.jetstream.TestingNodes.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.jetstream.TestingNode.Message;
import io.penstock.jetstream.TestingNodes.Node;
import io.penstock.jetstream.state.StreamMachine;
import io.penstock.storage.disk.TestingDisk;
import io.penstock.storage.store.StoreDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Replicas that differ or are damaged become equal and whole again. */
class RepairTest {
    private final TestingNodes nodes = new TestingNodes(23);

    @BeforeEach
    void fill() {
        nodes.create("S", "\"subjects\":[\"s.>\"],\"allow_direct\":true");
        nodes.create("T", "\"subjects\":[\"t.>\"]");
        nodes.createConsumer("S", "c", "\"ack_policy\":\"explicit\"");
        publish(0, 60);
        nodes.settle();
    }

    private void publish(int from, int to) {
        for (int i = from; i < to; i++) {
            assertThat(nodes.publish("s." + i % 3, "v" + i, "id" + i).get("error"))
                    .isNull();
        }
    }

    private static StreamMachine machine(Node node) {
        return node.engine.streams().all().stream()
                .filter(s -> s.config().name().equals("S"))
                .findFirst()
                .orElseThrow();
    }

    private void assertEqualReplicas() {
        nodes.settle();
        Set<Long> hashes = new HashSet<>();
        nodes.nodes.values().forEach(node -> hashes.add(node.engine.streams().stateHash()));
        assertThat(hashes).hasSize(1);
    }

    private void compare() {
        Node leader = nodes.awaitLeader();
        nodes.cluster.loop(leader.name).execute(leader.engine::compareReplicas);
        nodes.cluster.run(5 * SECOND);
    }

    @Test
    void equalReplicasAreLeftAlone() {
        compare();
        nodes.nodes
                .values()
                .forEach(node -> assertThat(node.host.repairCounts().diverged()).isZero());
    }

    @Test
    void aFollowerThatDiffersFetchesACopyWhileMessagesCome() {
        Node follower = nodes.nodes.get(nodes.follower());
        machine(follower).store().remove(17, false);
        Node leader = nodes.awaitLeader();
        nodes.cluster.loop(leader.name).execute(leader.engine::compareReplicas);
        publish(60, 120);
        nodes.cluster.run(5 * SECOND);
        publish(120, 130);
        assertEqualReplicas();
        assertThat(leader.host.repairCounts().diverged()).isEqualTo(1);
        assertThat(follower.host.repairCounts().repaired()).isEqualTo(1);
        assertThat(machine(follower).store().state().messages()).isEqualTo(130);
    }

    @Test
    void aLeaderThatDiffersLetsAnotherLeadAndFetchesACopy() {
        Node leader = nodes.awaitLeader();
        machine(leader).store().remove(17, false);
        compare();
        nodes.cluster.runUntil(() -> leader.host.repairCounts().repaired() == 1, 60 * SECOND);
        publish(60, 70);
        assertEqualReplicas();
        assertThat(machine(leader).store().load(17)).isNotNull();
    }

    @Test
    void aStreamThatCannotBeOpenedIsFetched() {
        nodes.nodes.values().forEach(Node::checkpoint);
        nodes.cluster.run(SECOND);
        String away = nodes.follower();
        long id = machine(nodes.nodes.get(away)).id();
        nodes.crash(away, false);
        TestingDisk disk = nodes.disks.get(away);
        String directory = String.format("S.%016x", id);
        for (Path path : disk.files()) {
            if (path.toString().contains(directory)
                    && path.getFileName().toString().startsWith("manifest")) {
                disk.overwrite(path, new byte[] {1, 2, 3});
            }
        }
        nodes.restart(away);
        Node back = nodes.nodes.get(away);
        assertThat(back.engine.streams().all()).hasSize(1);
        publish(60, 80);
        nodes.cluster.runUntil(() -> back.engine.streams().all().size() == 2, 60 * SECOND);
        publish(80, 90);
        assertEqualReplicas();
        assertThat(back.host.repairCounts().damaged()).isEqualTo(1);
        assertThat(back.host.repairCounts().repaired()).isEqualTo(1);
        assertThat(machine(back).store().state().messages()).isEqualTo(90);
    }

    /** Removes what a node that is down has of the stream, behind its back. */
    private void removeFolder(String node, long id) throws IOException {
        TestingDisk disk = nodes.disks.get(node);
        String directory = String.format("S.%016x", id);
        Path folder = null;
        for (Path path : disk.files()) {
            if (path.getParent().getFileName().toString().equals(directory)) {
                disk.delete(path);
                folder = path.getParent();
            }
        }
        disk.delete(folder);
        assertThat(disk.isDirectory(folder)).isFalse();
    }

    @Test
    void aStreamWhoseFolderIsGoneIsFetchedAtTheStart() throws Exception {
        nodes.nodes.values().forEach(Node::checkpoint);
        nodes.cluster.run(SECOND);
        String away = nodes.follower();
        long id = machine(nodes.nodes.get(away)).id();
        nodes.crash(away, false);
        removeFolder(away, id);
        nodes.restart(away);
        Node back = nodes.nodes.get(away);
        assertThat(back.engine.streams().all()).hasSize(1);
        // Long before replicas are compared.
        nodes.cluster.runUntil(() -> back.engine.streams().all().size() == 2, 20 * SECOND);
        publish(60, 70);
        assertEqualReplicas();
        assertThat(back.host.repairCounts().diverged()).isZero();
        assertThat(back.host.repairCounts().repaired()).isEqualTo(1);
        assertThat(machine(back).id()).isEqualTo(id);
        assertThat(machine(back).store().state().messages()).isEqualTo(70);
    }

    @Test
    void whoLostAStreamDoesNotBeginItAnewThoughItIsElected() throws Exception {
        nodes.nodes.values().forEach(Node::checkpoint);
        nodes.cluster.run(SECOND);
        String away = nodes.follower();
        long id = machine(nodes.nodes.get(away)).id();
        nodes.crash(away, false);
        removeFolder(away, id);
        nodes.restart(away);
        Node back = nodes.nodes.get(away);
        nodes.cluster.runUntil(() -> nodes.cluster.moveLeader(TestingNodes.GROUP, away), 20 * SECOND);
        publish(60, 80);
        nodes.cluster.runUntil(() -> back.host.repairCounts().repaired() == 1, 60 * SECOND);
        publish(80, 90);
        assertEqualReplicas();
        nodes.nodes.values().forEach(node -> {
            assertThat(node.engine.streams().all()).hasSize(2);
            assertThat(machine(node).id()).isEqualTo(id);
            assertThat(machine(node).store().state().messages()).isEqualTo(90);
        });
    }

    @Test
    void aStreamThatWasDeletedIsNotMissed() {
        nodes.nodes.values().forEach(Node::checkpoint);
        nodes.cluster.run(SECOND);
        nodes.delete("S");
        nodes.cluster.runUntil(
                () -> nodes.nodes.values().stream()
                        .allMatch(n -> n.engine.streams().all().size() == 1),
                20 * SECOND);
        String away = nodes.follower();
        nodes.crash(away, false);
        nodes.restart(away);
        nodes.settle();
        Node back = nodes.nodes.get(away);
        nodes.cluster.run(5 * SECOND);
        assertThat(back.engine.streams().all()).hasSize(1);
        assertThat(back.host.repairCounts().damaged()).isZero();
    }

    @Test
    void aStreamWithDamagedFilesIsFetched() {
        Node follower = nodes.nodes.get(nodes.follower());
        follower.engine.damaged(machine(follower).id(), "as a test wants it");
        nodes.cluster.runUntil(() -> follower.host.repairCounts().repaired() == 1, 60 * SECOND);
        assertEqualReplicas();
        nodes.moveLeader(follower.name);
        publish(60, 65);
        Message got = nodes.request(SECOND, "$JS.API.DIRECT.GET.S.s.1", "");
        assertThat(got.payload()).isEqualTo("v64");
        assertEqualReplicas();
    }

    @Test
    void aFlippedBitThatAScrubFindsIsMendedFromAnotherReplica() throws Exception {
        nodes.nodes.values().forEach(Node::checkpoint);
        nodes.cluster.run(SECOND);
        Node follower = nodes.nodes.get(nodes.follower());
        TestingDisk disk = nodes.disks.get(follower.name);
        String directory = String.format("S.%016x", machine(follower).id());
        Path sealed = disk.files().stream()
                .filter(file ->
                        file.toString().contains(directory) && file.toString().endsWith(".seg"))
                .sorted()
                .findFirst()
                .orElseThrow();
        byte[] bytes = disk.bytes(sealed);
        bytes[bytes.length / 2] ^= 16;
        disk.overwrite(sealed, bytes);

        StoreDirectory stores = follower.groups.getFirst().stores;
        assertThat(stores.scrub(read -> {})).isEqualTo(1);
        nodes.cluster.runUntil(() -> follower.host.repairCounts().repaired() == 1, 60 * SECOND);

        assertThat(follower.host.repairCounts().damaged()).isEqualTo(1);
        assertEqualReplicas();
        follower.checkpoint();
        assertThat(stores.scrub(read -> {})).isZero();
        assertThat(machine(follower).store().state().messages()).isEqualTo(60);
    }
}
