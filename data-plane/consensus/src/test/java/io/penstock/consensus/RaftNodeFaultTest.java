package io.penstock.consensus;

import static org.assertj.core.api.Assertions.assertThat;

import com.alipay.sofa.jraft.rpc.RpcRequests.AppendEntriesRequest;
import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the disk, the links and the state machine can do to a group on the Raft engine. */
class RaftNodeFaultTest {
    /** The engine's appends begin with this byte on the link. */
    private static final byte APPEND = 1;

    /** Its requests for votes with this. */
    private static final byte VOTE = 3;

    private RaftRig rig = new RaftRig();

    @AfterEach
    void close() {
        rig.close();
    }

    /** Whether it is an append of the engine that is more than a sign of life. */
    private static boolean carriesEntries(byte[] payload) {
        try {
            return payload[0] == APPEND
                    && AppendEntriesRequest.parseFrom(ByteString.copyFrom(payload, 1, payload.length - 1))
                                    .getEntriesCount()
                            > 0;
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalStateException(e);
        }
    }

    private String other(String node) {
        return rig.nodes().stream()
                .filter(each -> !each.equals(node))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void cutsASuffixThatWasNeverCommitted() {
        rig.close();
        AtomicReference<String> mute = new AtomicReference<>("");
        // The others hear that it lives, so it goes on leading, but none of its entries.
        rig = new RaftRig(links ->
                new LossyLinks(links, (from, to, payload) -> from.equals(mute.get()) && carriesEntries(payload)));
        rig.commit(1);
        rig.untilAllHave(1);
        String leader = rig.leader();
        RaftGroup group = rig.node(leader).group;
        long before = group.lastIndex();
        mute.set(leader);
        for (long number = 100; number < 110; number++) {
            rig.propose(leader, number);
        }
        rig.until("the lost entries in the leader's own log", () -> group.lastIndex() >= before + 1);
        rig.kill(leader);
        mute.set("");
        rig.commit(2);
        rig.revive(leader);
        rig.commit(3);
        rig.untilAllHave(3);
        for (String node : rig.nodes()) {
            assertThat(rig.numbers(node)).containsExactly(1L, 2L, 3L);
        }
    }

    @Test
    void handsLeadershipOnWhenTheDiskIsFullAndCatchesUpWhenThereIsRoom() {
        String full = rig.leader();
        rig.commit(1);
        rig.node(full).disk.capacity(0);
        for (long number = 2; number <= 20; number++) {
            rig.commit(number);
        }
        rig.until(
                "another leader",
                () -> rig.leaderNow() != null && !rig.leaderNow().equals(full));
        rig.commit(21);
        assertThat(rig.halts).isEmpty();
        rig.node(full).disk.capacity(Long.MAX_VALUE);
        rig.untilAllHave(21);
        String leader = rig.leader();
        rig.kill(other(leader).equals(full) ? third(leader, full) : other(leader));
        rig.commit(22);
        rig.untilAllHave(22);
    }

    private String third(String one, String two) {
        return rig.nodes().stream()
                .filter(node -> !node.equals(one) && !node.equals(two))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void endsTheProcessWhenAVoteCannotBeSaved() {
        String leader = rig.leader();
        rig.commit(1);
        rig.untilAllHave(1);
        String voter = other(leader);
        rig.node(voter).disk.failWith((operation, path) -> {
            if (operation.equals("write")) {
                throw new IOException("no space left");
            }
        });
        rig.kill(leader);
        rig.until("an end of the process", () -> !rig.halts.isEmpty());
        assertThat(rig.halts.getFirst()).contains("vote");
    }

    @Test
    void votesThoughTheDiskIsFullAndRemembersIt() {
        String leader = rig.leader();
        rig.commit(1);
        rig.untilAllHave(1);
        String voter = other(leader);
        rig.node(voter).disk.capacity(0);
        long before = rig.log(leader).term();
        rig.kill(leader);
        // One of the two leads, by the other's vote, and commits nothing: that takes the full disk.
        rig.until(
                "a newer term",
                () -> rig.up().stream().anyMatch(node -> rig.log(node).term() > before));
        assertThat(rig.halts).isEmpty();
        rig.kill(voter);
        rig.revive(voter);
        rig.until("the term from the disk", () -> rig.log(voter).term() > before);
        rig.revive(leader);
        rig.commit(2);
        rig.untilAllHave(2);
    }

    @Test
    void endsTheProcessWhenAForceFails() {
        rig.commit(1);
        String leader = rig.leader();
        rig.node(leader).disk.failWith((operation, path) -> {
            if (operation.equals("force")) {
                throw new IOException("input/output error");
            }
        });
        rig.propose(leader, 2);
        rig.until("an end of the process", () -> !rig.halts.isEmpty());
        rig.node(leader).disk.failWith((operation, path) -> {});
        rig.kill(leader);
        rig.commit(3);
    }

    @Test
    void beginsAGroupAnewWhoseCopyCouldNotBeInstalled() {
        rig.commit(1);
        String victim = other(rig.leader());
        rig.kill(victim);
        for (long number = 2; number <= 4; number++) {
            rig.commit(number);
            long seen = number;
            for (String node : rig.up()) {
                rig.until("number " + seen, () -> rig.machine(node).numbers().contains(seen));
                rig.on(node, () -> rig.machine(node).checkpoint(rig.log(node)));
                rig.until("a checkpoint", () -> rig.machine(node).checkpointed() >= seen);
            }
        }
        rig.revive(victim);
        rig.machine(victim).failInstallations(1);
        rig.untilAllHave(4);
        assertThat(rig.node(victim).engine.failures()).isPositive();
        rig.commit(5);
        rig.untilAllHave(5);
    }

    @Test
    void stopsAGroupWhoseStateMachineThrowsAndLeavesTheOthersAlone() {
        String leader = rig.leader();
        rig.commit(1);
        String victim = other(leader);
        rig.machine(victim).throwAt(2);
        rig.commit(2);
        rig.until("the group to stop there", () -> rig.log(victim).role() == ReplicatedLog.Role.STOPPED);
        rig.commit(3);
    }

    @Test
    void makesTheWayToAFollowerAnewWhenAppendsGoUnanswered() {
        rig.close();
        AtomicReference<String> deaf = new AtomicReference<>("");
        rig = new RaftRig(links ->
                new LossyLinks(links, (from, to, payload) -> to.equals(deaf.get()) && carriesEntries(payload)));
        rig.commit(1);
        rig.untilAllHave(1);
        String victim = other(rig.leader());
        deaf.set(victim);
        rig.commit(2);
        // Whoever leads by now.
        rig.until(
                "the watchdog",
                () -> rig.up().stream().anyMatch(node -> rig.node(node).engine.watchdogResets() > 0));
        deaf.set("");
        rig.commit(3);
        rig.untilAllHave(3);
        assertThat(rig.numbers(victim)).containsExactly(1L, 2L, 3L);
    }

    @Test
    void countsNothingAReplicaWithoutAPastHasBeforeItIsTakenInAnew() {
        rig.close();
        AtomicReference<String> deaf = new AtomicReference<>("");
        rig = new RaftRig(links ->
                new LossyLinks(links, (from, to, payload) -> to.equals(deaf.get()) && carriesEntries(payload)));
        String leader = rig.leader();
        rig.commit(1);
        rig.untilAllHave(1);
        String wiped = other(leader);
        rig.kill(wiped);
        rig.wipe(wiped);
        deaf.set(third(leader, wiped));
        rig.revive(wiped);
        rig.propose(leader, 2);
        rig.until(
                "the wiped one to have what was proposed",
                () -> rig.node(wiped).group.lastIndex() > 0
                        && rig.node(wiped).group.lastIndex()
                                >= rig.node(leader).group.lastIndex());
        // It may have promised its vote to another leader: with it and the leader alone there is no majority.
        long end = System.nanoTime() + 1_500_000_000L;
        while (System.nanoTime() < end) {
            assertThat(rig.machine(leader).numbers()).doesNotContain(2L);
            LockSupport.parkNanos(10_000_000);
        }
        deaf.set("");
        rig.commit(3);
        rig.until("the leader to have it", () -> rig.machine(leader).numbers().contains(3L));
    }

    @Test
    void callsAnElectionAtOnceWhenTheLeadersProcessIsGone() {
        rig.close();
        rig = new RaftRig(UnaryOperator.identity(), 10_000);
        boolean early = false;
        // Now and then the engine's own timer, which may strike at any time, is first.
        for (int attempt = 1; attempt < 6 && !early; attempt++) {
            rig.commit(attempt);
            rig.untilAllHave(attempt);
            String leader = rig.leader();
            long before = earlyOfOthers(leader);
            rig.kill(leader);
            rig.until("another leader", () -> rig.leaderNow() != null);
            early = earlyOfOthers(leader) > before;
            rig.revive(leader);
        }
        assertThat(early).isTrue();
    }

    private long early() {
        return earlyOfOthers("");
    }

    private long earlyOfOthers(String node) {
        return rig.up().stream()
                .filter(other -> !other.equals(node))
                .mapToLong(other -> rig.node(other).engine.earlyElections())
                .sum();
    }

    @Test
    void callsAnElectionWhenNothingIsHeardOfTheLeader() {
        rig.close();
        AtomicReference<String> dumb = new AtomicReference<>("");
        rig = new RaftRig(
                links -> new LossyLinks(links, (from, to, payload) -> from.equals(dumb.get()) || to.equals(dumb.get())),
                10_000);
        rig.commit(1);
        rig.untilAllHave(1);
        long before = early();
        // Now and then the engine's own timer, which may strike at any time, is first.
        for (int attempt = 2; attempt < 7 && early() == before; attempt++) {
            String leader = rig.leader();
            before = early();
            dumb.set(leader);
            rig.until(
                    "another leader",
                    () -> rig.leaderNow() != null && !rig.leaderNow().equals(leader));
            dumb.set("");
            rig.commit(attempt);
            rig.untilAllHave(attempt);
        }
        assertThat(early()).isGreaterThan(before);
    }

    @Test
    void leavesALeaderAloneWhomTheOthersHear() {
        rig.close();
        AtomicReference<String> deaf = new AtomicReference<>("");
        AtomicReference<String> deafTo = new AtomicReference<>("");
        AtomicInteger asked = new AtomicInteger();
        // With patience for a starved machine, on which half a second passes in which nobody hears anybody.
        rig = new RaftRig(
                links -> new LossyLinks(links, (from, to, payload) -> {
                    if (from.equals(deaf.get()) && payload[0] == VOTE) {
                        asked.incrementAndGet();
                    }
                    return from.equals(deafTo.get()) && to.equals(deaf.get());
                }),
                2_000,
                60_000);
        boolean left = false;
        // On a busy machine the third may hear nothing for as long as an election takes, and then it is right to stand.
        for (int attempt = 1; attempt < 12 && !left; attempt += 2) {
            rig.commit(attempt);
            rig.untilAllHave(attempt);
            String leader = rig.leader();
            long term = rig.log(leader).term();
            asked.set(0);
            deafTo.set(leader);
            deaf.set(other(leader));
            rig.until("the one that hears nothing to ask the others again and again", () -> asked.get() > 6);
            rig.commit(attempt + 1);
            deaf.set("");
            rig.untilAllHave(attempt + 1);
            left = rig.leader().equals(leader) && rig.log(leader).term() == term;
        }
        assertThat(left).isTrue();
    }

    @Test
    void electsWhoHasAllEntriesWhenTheFirstInRankLacksSome() {
        rig.close();
        AtomicReference<String> deaf = new AtomicReference<>("");
        rig = new RaftRig(
                links -> new LossyLinks(links, (from, to, payload) -> to.equals(deaf.get()) && payload[0] == APPEND));
        long number = 0;
        boolean stood = false;
        // Now and then the engine's own timer, which may strike at any time, is first.
        for (int attempt = 0; attempt < 6 && !stood; attempt++) {
            rig.commit(++number);
            rig.untilAllHave(number);
            String leader = rig.leader();
            String behind = other(leader);
            String ahead = third(leader, behind);
            rig.nodes()
                    .forEach(node ->
                            rig.on(node, () -> rig.node(node).group.preferLeaders(List.of(leader, behind, ahead))));
            long before = rig.node(ahead).engine.earlyElections();
            deaf.set(behind);
            rig.commit(++number);
            rig.kill(leader);
            deaf.set("");
            rig.until("the other to lead", () -> ahead.equals(rig.leaderNow()));
            stood = rig.node(ahead).engine.earlyElections() > before;
            rig.revive(leader);
        }
        assertThat(stood).isTrue();
        rig.commit(++number);
        rig.untilAllHave(number);
    }

    @Test
    void callsAnElectionWhenAMajorityIsThereAgain() {
        rig.close();
        rig = new RaftRig(UnaryOperator.identity(), 10_000);
        boolean early = false;
        // Now and then the engine's own timer, which may strike at any time, is first.
        for (int attempt = 1; attempt < 12 && !early; attempt += 2) {
            rig.commit(attempt);
            rig.untilAllHave(attempt);
            String leader = rig.leader();
            String first = other(leader);
            String second = third(leader, first);
            rig.kill(first);
            rig.kill(second);
            rig.until("nobody to lead", () -> rig.leaderNow() == null);
            long before = early();
            rig.revive(first);
            rig.commit(attempt + 1);
            early = early() > before;
            rig.revive(second);
            rig.untilAllHave(attempt + 1);
        }
        assertThat(early).isTrue();
    }

    @Test
    void forgetsAGroupThatIsRemovedAndTakesItsNameAnew() {
        rig.commit(1);
        rig.untilAllHave(1);
        for (String name : rig.nodes()) {
            rig.node(name).engine.remove("g");
            assertThat(rig.node(name).engine.stored()).isEmpty();
        }
        rig.nodes().forEach(rig::openAnew);
        rig.commit(2);
        rig.untilAllHave(2);
        for (String node : rig.nodes()) {
            assertThat(rig.numbers(node)).containsExactly(2L);
        }
    }
}
