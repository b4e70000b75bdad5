package io.penstock.consensus;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
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
        rig.node(node).loop.execute(this::standStill);
    }

    private void standStill() {
        try {
            goOn.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
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

    /** With patience that ends long after the test's: no time that passes ends the lease, or takes the offer back. */
    @Test
    void endsWhenLeadershipIsHandedOn() {
        RaftRig patient = new RaftRig(UnaryOperator.identity(), 600_000, 200);
        try {
            patient.commit(1);
            patient.untilAllHave(1);
            String first = patient.leaderWithLease();
            String next = patient.nodes().stream()
                    .filter(node -> !node.equals(first))
                    .findFirst()
                    .orElseThrow();
            patient.node(first).loop.execute(() -> {
                var _ = patient.node(first).group.transferLeadership(next);
                standStill();
            });
            patient.until("the other leads", () -> patient.log(next).role() == ReplicatedLog.Role.LEADER);
            assertThat(patient.log(first).role()).isEqualTo(ReplicatedLog.Role.LEADER);
            assertThat(patient.log(first).holdsLease()).isFalse();
            patient.until("a lease of the other", () -> patient.log(next).holdsLease());
        } finally {
            goOn.countDown();
            patient.close();
        }
    }

    /** With patience that ends long after the test's, so that only an answer can tell that nobody takes over. */
    @Test
    void goesOnWhenTheOfferOfLeadershipWasLost() {
        AtomicInteger offers = new AtomicInteger();
        byte offer = 7;
        RaftRig patient = new RaftRig(
                links -> new LossyLinks(
                        links, (from, to, payload) -> payload[0] == offer && offers.getAndIncrement() == 0),
                600_000,
                200);
        try (patient) {
            patient.commit(1);
            patient.untilAllHave(1);
            String first = patient.leaderWithLease();
            long term = patient.log(first).term();
            AtomicReference<CompletionStage<Void>> transfer = new AtomicReference<>();
            String next = patient.nodes().stream()
                    .filter(node -> !node.equals(first))
                    .findFirst()
                    .orElseThrow();
            patient.on(first, () -> transfer.set(patient.node(first).group.transferLeadership(next)));
            CompletableFuture<Void> outcome = transfer.get().toCompletableFuture();
            patient.until("the end of the transfer", outcome::isDone);
            assertThat(outcome).isCompletedExceptionally();
            patient.until("a lease", () -> patient.log(first).holdsLease());
            patient.commit(2);
            assertThat(patient.log(first).term()).isEqualTo(term);
            assertThat(offers.get()).isGreaterThan(1);
        }
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
