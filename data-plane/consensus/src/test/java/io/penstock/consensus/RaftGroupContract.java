package io.penstock.consensus;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** What holds for a group of three replicas on any engine, and a fourth node beside them. */
abstract class RaftGroupContract extends ReplicatedLogContract {
    RaftGroup group(String node) {
        return (RaftGroup) rig.log(node);
    }

    /** A node that is not of the group at first; opens an empty replica there. */
    abstract String openFourth();

    /** Nothing gets from this node to the others any more, nor back. */
    abstract void cutOff(String node);

    abstract void heal();

    /** Everything on a node that is down is lost. */
    abstract void wipe(String node);

    /**
     * Asks whoever leads until it is done: one that leads no more refuses, or has begun what the next one must end first.
     */
    void ask(Function<RaftGroup, CompletionStage<?>> request) {
        AtomicReference<Object> outcome = new AtomicReference<>("not asked");
        rig.until("what the leader was asked for", () -> {
            String leader = rig.leader();
            outcome.set("waiting");
            rig.on(
                    leader,
                    () -> request.apply(group(leader))
                            .whenComplete((done, failure) -> outcome.set(failure == null ? "done" : failure)));
            rig.until("an outcome", () -> !"waiting".equals(outcome.get()));
            return "done".equals(outcome.get());
        });
    }

    /** Waits until the leader says so of a replica. */
    void awaitReplica(String what, String node, Predicate<Replica> condition) {
        rig.until(
                what,
                () -> group(rig.leader()).replicas().stream()
                        .anyMatch(replica -> replica.node().equals(node) && condition.test(replica)));
    }

    String other(String node) {
        return rig.nodes().stream()
                .filter(each -> !each.equals(node))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void anotherLeadsWhenTheLeaderDies() {
        String first = rig.leader();
        rig.commit(1);
        rig.kill(first);
        rig.commit(2);
        rig.revive(first);
        rig.commit(3);
        rig.untilAllHave(3);
        for (String node : rig.nodes()) {
            assertThat(rig.machine(node).numbers()).containsSubsequence(1L, 2L, 3L);
        }
    }

    @Test
    void theLeaseOfALeaderThatIsCutOffIsOverOnceAnotherLeads() {
        rig.commit(1);
        String first = rig.leaderWithLease();
        cutOff(first);
        rig.until(
                "another leader with a lease",
                () -> rig.nodes().stream().filter(node -> !node.equals(first)).anyMatch(node -> {
                    if (rig.log(node).role() != ReplicatedLog.Role.LEADER) {
                        return false;
                    }
                    assertThat(rig.log(first).holdsLease()).isFalse();
                    return rig.log(node).holdsLease();
                }));
        heal();
        rig.commit(2);
        rig.untilAllHave(2);
    }

    @Test
    void acknowledgesNothingWithoutAMajority() {
        String leader = rig.leader();
        rig.commit(1);
        List<String> others =
                rig.nodes().stream().filter(node -> !node.equals(leader)).toList();
        others.forEach(rig::kill);
        TestingMachine machine = rig.machine(leader);
        rig.propose(leader, 2);
        rig.until("the leader to give up", () -> rig.log(leader).role() != ReplicatedLog.Role.LEADER);
        assertThat(machine.acknowledged).doesNotContain(2L);
        others.forEach(rig::revive);
        rig.commit(3);
        rig.untilAllHave(3);
    }

    @Test
    void followersRefuseProposals() {
        String leader = rig.leader();
        String follower = other(leader);
        rig.propose(follower, 5);
        rig.until("a refusal", () -> rig.machine(follower).notProposed.contains(5L));
    }

    @Test
    void handsLeadershipOver() {
        rig.commit(1);
        String next = other(rig.leader());
        awaitReplica("the other to be current", next, Replica::current);
        ask(group ->
                group.leader().equals(next) ? CompletableFuture.completedFuture(null) : group.transferLeadership(next));
        rig.until("the other to lead", () -> {
            boolean leads = rig.log(next).role() == ReplicatedLog.Role.LEADER;
            // Unless it was elected again since.
            boolean stale = rig.nodes().stream()
                    .anyMatch(node -> !node.equals(next)
                            && rig.log(node).holdsLease()
                            && rig.log(node).term() <= rig.log(next).term());
            assertThat(leads && stale).as("a lease of a leader of before").isFalse();
            return leads;
        });
        rig.commit(2);
        rig.untilAllHave(2);
    }

    @Test
    void bringsAReplicaBehindTheLogUpToDateWithACopy() {
        rig.commit(1);
        rig.untilAllHave(1);
        String victim = other(rig.leader());
        rig.kill(victim);
        for (long number = 2; number <= 60; number++) {
            rig.commit(number);
            if (number % 20 == 0) {
                for (String node : rig.up()) {
                    long seen = number - 10;
                    rig.until("the others", () -> rig.machine(node).numbers().contains(seen));
                    rig.on(node, () -> rig.machine(node).checkpoint(rig.log(node)));
                    rig.until("a checkpoint", () -> rig.machine(node).checkpointed() >= seen);
                }
            }
        }
        rig.revive(victim);
        rig.untilAllHave(60);
        rig.until("a copy", () -> rig.machine(victim).installed.get() > 0);
        rig.commit(61);
        rig.untilAllHave(61);
        String leader = rig.leader();
        assertThat(rig.machine(victim).numbers()).isEqualTo(rig.machine(leader).numbers());
        rig.kill(victim);
        rig.revive(victim);
        rig.commit(62);
        rig.untilAllHave(62);
        assertThat(rig.machine(victim).numbers()).contains(1L, 30L, 60L, 61L, 62L);
    }

    @Test
    void replacesAVoterByAnother() {
        rig.commit(1);
        String fourth = openFourth();
        ask(group -> group.addLearner(fourth));
        rig.until("the learner to have it", () -> rig.machine(fourth).numbers().contains(1L));
        rig.until("the role of a learner", () -> rig.log(fourth).role() == ReplicatedLog.Role.LEARNER);
        awaitReplica("a current learner", fourth, replica -> !replica.voter() && replica.current());
        ask(group -> group.promote(fourth));
        String gone = other(rig.leader());
        ask(group -> group.removeReplica(gone));
        rig.kill(gone);
        // Its acknowledgement counts: with it and one of those who were there there is a majority.
        assertThat(group(rig.leader()).replicas())
                .extracting(Replica::node)
                .contains(fourth)
                .doesNotContain(gone);
        String third = rig.nodes().stream()
                .filter(node -> !node.equals(gone) && !node.equals(rig.leader()))
                .findFirst()
                .orElseThrow();
        rig.kill(third);
        rig.commit(2);
        rig.until(
                "the new voter to have it", () -> rig.machine(fourth).numbers().contains(2L));
    }

    @Test
    void aWipedVoterCastsNoVoteUntilItIsTakenInAnew() {
        rig.commit(1);
        String leader = rig.leader();
        String victim = other(leader);
        rig.kill(victim);
        wipe(victim);
        rig.commit(2);
        rig.revive(victim);
        rig.untilAllHave(2);
        ask(group -> group.removeReplica(victim));
        ask(group -> group.addLearner(victim));
        awaitReplica("a current learner", victim, Replica::current);
        ask(group -> group.promote(victim));
        rig.commit(3);
        rig.untilAllHave(3);
        String now = rig.leader();
        rig.kill(now);
        // The third needs the wiped one's vote.
        rig.commit(4);
        rig.untilAllHave(4);
    }

    @Test
    void readsWhatWasAcknowledgedFromAnyReplica() {
        String leader = rig.leader();
        rig.commit(7);
        for (String node : rig.nodes()) {
            AtomicReference<Object> seen = new AtomicReference<>();
            rig.until("a read point at " + node, () -> {
                if (seen.get() instanceof Throwable || seen.get() == null) {
                    AtomicReference<Object> next = new AtomicReference<>("waiting");
                    rig.on(
                            node,
                            () -> group(node)
                                    .readIndex()
                                    .whenComplete((index, failure) ->
                                            next.set(failure == null ? rig.numbers(node) : failure)));
                    rig.until("an answer", () -> !"waiting".equals(next.get()));
                    seen.set(next.get());
                }
                return seen.get() instanceof List<?>;
            });
            assertThat(seen.get()).isEqualTo(List.of(7L));
        }
        assertThat(leader).isNotNull();
    }

    @Test
    void tellsTheReplicas() {
        rig.commit(1);
        rig.untilAllHave(1);
        String leader = rig.leader();
        String lost = other(leader);
        rig.until("all current", () -> group(leader).replicas().stream().allMatch(Replica::current));
        assertThat(group(leader).replicas()).hasSize(3).allMatch(Replica::voter);
        rig.kill(lost);
        rig.until(
                "one offline",
                () -> group(leader).replicas().stream()
                        .anyMatch(replica -> replica.node().equals(lost) && replica.offline() && !replica.current()));
    }
}
