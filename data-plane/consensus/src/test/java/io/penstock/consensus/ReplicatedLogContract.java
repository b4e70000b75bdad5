package io.penstock.consensus;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What holds for a log on any engine; each engine's test extends it. */
abstract class ReplicatedLogContract {
    LogRig rig;

    abstract LogRig open();

    @BeforeEach
    void openRig() {
        rig = open();
    }

    @AfterEach
    void closeRig() {
        rig.close();
    }

    @Test
    void appliesTheSameEverywhereInOrderWithRisingTimes() {
        for (long number = 1; number <= 50; number++) {
            rig.commit(number);
        }
        rig.untilAllHave(50);
        String leader = rig.leader();
        List<TestingMachine.Value> values = rig.machine(leader).values();
        assertThat(rig.numbers(leader)).doesNotHaveDuplicates();
        for (int i = 1; i < values.size(); i++) {
            assertThat(values.get(i).index()).isGreaterThan(values.get(i - 1).index());
            assertThat(values.get(i).timestampNanos())
                    .isGreaterThan(values.get(i - 1).timestampNanos());
        }
        for (String node : rig.nodes()) {
            assertThat(rig.machine(node).values()).isEqualTo(values);
        }
    }

    @Test
    void answersEachProposalOnceAndKeepsNothingPending() {
        String leader = rig.leader();
        rig.on(leader, () -> {
            for (long number = 1; number <= 500; number++) {
                rig.log(leader).propose(0, TestingMachine.entry(number), Long.BYTES, number);
            }
        });
        TestingMachine machine = rig.machine(leader);
        rig.until(
                "all outcomes",
                () -> machine.acknowledged.size() + machine.unknown.size() + machine.notProposed.size() >= 500);
        rig.untilAllHave((long) machine.acknowledged.getLast());
        assertThat(machine.acknowledged.size() + machine.unknown.size() + machine.notProposed.size())
                .isEqualTo(500);
        assertThat(rig.log(leader).pendingBytes()).isZero();
        assertThat(machine.numbers())
                .containsAll(
                        machine.acknowledged.stream().map(each -> (Long) each).toList());
    }

    @Test
    void onlyTheLeaderHoldsALease() {
        rig.commit(1);
        String leader = rig.leaderWithLease();
        ReplicatedLog log = rig.log(leader);
        rig.nodes().stream()
                .map(rig::log)
                .filter(each -> each.role() == ReplicatedLog.Role.FOLLOWER)
                .forEach(each -> assertThat(each.holdsLease()).isFalse());
        rig.on(leader, log::close);
        rig.until("the end", () -> log.role() == ReplicatedLog.Role.STOPPED);
        assertThat(log.holdsLease()).isFalse();
    }

    @Test
    void keepsWhatWasAcknowledgedWhenAllLosePower() {
        List<Long> expected = new ArrayList<>();
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < 20; i++) {
                long number = round * 100L + i + 1;
                rig.commit(number);
                expected.add(number);
            }
            rig.powerLoss();
            rig.nodes().forEach(rig::revive);
        }
        rig.commit(1_000);
        rig.untilAllHave(1_000);
        for (String node : rig.nodes()) {
            assertThat(rig.machine(node).numbers()).containsAll(expected);
        }
    }

    @Test
    void goesOnBehindACheckpointAfterARestart() {
        for (long number = 1; number <= 20; number++) {
            rig.commit(number);
        }
        rig.untilAllHave(20);
        for (String node : rig.nodes()) {
            // Twice: with nothing new the second lets go of what the first still kept.
            for (int round = 1; round <= 2; round++) {
                int rounds = round;
                // The engine may be at the end of the one before: then it is asked again.
                rig.until("a checkpoint", () -> {
                    rig.on(node, () -> rig.machine(node).checkpoint(rig.log(node)));
                    return rig.machine(node).checkpoints() >= rounds;
                });
            }
            assertThat(rig.machine(node).checkpointed()).isGreaterThanOrEqualTo(20);
        }
        rig.powerLoss();
        rig.nodes().forEach(rig::revive);
        rig.commit(21);
        rig.powerLoss();
        rig.nodes().forEach(rig::revive);
        rig.commit(22);
        rig.untilAllHave(22);
        for (String node : rig.nodes()) {
            List<Long> numbers = rig.numbers(node);
            assertThat(numbers).contains(1L, 20L, 21L, 22L).doesNotHaveDuplicates();
            assertThat(rig.machine(node).applications()).isLessThan(20);
        }
    }

    @Test
    void refusesProposalsOnceClosed() {
        String leader = rig.leader();
        rig.commit(1);
        ReplicatedLog log = rig.log(leader);
        TestingMachine machine = rig.machine(leader);
        rig.on(leader, log::close);
        rig.until("the end", () -> log.role() == ReplicatedLog.Role.STOPPED);
        rig.on(leader, () -> log.propose(0, TestingMachine.entry(2), Long.BYTES, 2L));
        rig.until("an answer", () -> !machine.unknown.isEmpty() || !machine.notProposed.isEmpty());
        assertThat(machine.numbers()).doesNotContain(2L);
        AtomicReference<Long> begun = new AtomicReference<>();
        rig.on(leader, () -> log.beginCheckpoint(begun::set));
        rig.until("no checkpoint", () -> begun.get() != null);
        assertThat(begun.get()).isEqualTo(-1);
    }
}
