package io.penstock.consensus;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Leaders on the Raft engine whose loop stands still: by their role they lead on, and only the lease tells otherwise. */
class RaftLeaseTest {
    private volatile String cut = "";
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final RaftRig rig =
            new RaftRig(links -> new LossyLinks(links, (from, to, payload) -> from.equals(cut) || to.equals(cut)));

    @AfterEach
    void close() {
        goOn.countDown();
        rig.close();
    }

    private String leaderWithLease() {
        rig.commit(1);
        rig.untilAllHave(1);
        return rig.leaderWithLease();
    }

    private void holdUp(String node) {
        rig.node(node).loop.execute(() -> {
            try {
                goOn.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private String untilAnotherLeads(String than) {
        List<String> others =
                rig.nodes().stream().filter(node -> !node.equals(than)).toList();
        String[] found = {null};
        rig.until("another leader", () -> {
            for (String node : others) {
                if (rig.log(node).role() == ReplicatedLog.Role.LEADER) {
                    found[0] = node;
                }
            }
            return found[0] != null;
        });
        return found[0];
    }

    @Test
    void endsByItselfWhenTheLeaderIsCutOff() {
        String first = leaderWithLease();
        holdUp(first);
        cut = first;
        untilAnotherLeads(first);
        assertThat(rig.log(first).role()).isEqualTo(ReplicatedLog.Role.LEADER);
        assertThat(rig.log(first).holdsLease()).isFalse();
    }

    @Test
    void endsWhenLeadershipIsHandedOn() {
        String first = leaderWithLease();
        String next = rig.nodes().stream()
                .filter(node -> !node.equals(first))
                .findFirst()
                .orElseThrow();
        rig.on(first, () -> rig.node(first).group.transferLeadership(next));
        holdUp(first);
        String now = untilAnotherLeads(first);
        assertThat(rig.log(first).holdsLease()).isFalse();
        rig.until("a lease of the other", () -> rig.log(now).holdsLease());
    }

    @Test
    void isRenewedWhileNothingIsProposedAndComesBackAfterACut() {
        String first = leaderWithLease();
        cut = first;
        rig.until("no lease", () -> !rig.log(first).holdsLease());
        cut = "";
        assertThat(rig.leaderWithLease()).isNotNull();
    }
}
