package io.penstock.consensus.raft;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LeaseTest {
    private static final long ELECTION = 1_000;
    private Members members = members(Set.of("a", "b", "c"));
    private final Lease lease = new Lease("a", () -> members, ELECTION);

    private static Members members(Set<String> voters) {
        return new Members(voters, Set.of(), List.of(voters));
    }

    private void ack(String from, long term, long sentAt) {
        lease.acknowledged(from, term, sentAt, sentAt + 5);
    }

    @Test
    void lastsShorterThanAnElectionTimeOutFromWhenTheAcknowledgedWasSent() {
        lease.leads(3, 0);
        assertThat(lease.holds(1)).isFalse();
        lease.acknowledged("b", 3, 100, 500);
        assertThat(lease.holds(999)).isTrue();
        assertThat(lease.holds(1_000)).isFalse();
    }

    @Test
    void needsAMajority() {
        members = members(Set.of("a", "b", "c", "d", "e"));
        lease.leads(1, 0);
        ack("b", 1, 100);
        assertThat(lease.holds(110)).isFalse();
        ack("c", 1, 300);
        assertThat(lease.holds(999)).isTrue();
        assertThat(lease.holds(1_000)).isFalse();
        ack("d", 1, 400);
        assertThat(lease.holds(1_199)).isTrue();
        assertThat(lease.holds(1_200)).isFalse();
    }

    @Test
    void learnersAndStrangersDoNotCount() {
        lease.leads(1, 0);
        ack("learner", 1, 100);
        assertThat(lease.holds(110)).isFalse();
    }

    @Test
    void needsBothMajoritiesWhileVotersChange() {
        members = new Members(
                Set.of("a", "b", "c", "d", "e"), Set.of(), List.of(Set.of("a", "d", "e"), Set.of("a", "b", "c")));
        lease.leads(1, 0);
        ack("d", 1, 100);
        ack("e", 1, 100);
        assertThat(lease.holds(110)).isFalse();
        ack("b", 1, 120);
        assertThat(lease.holds(130)).isTrue();
    }

    @Test
    void aChangeOfVotersCountsAtOnce() {
        lease.leads(1, 0);
        ack("b", 1, 100);
        members = members(Set.of("a", "d", "e"));
        lease.membersChanged(110);
        assertThat(lease.holds(110)).isFalse();
    }

    @Test
    void isForEverWhereThereIsNoOtherVoter() {
        members = members(Set.of("a"));
        lease.leads(1, 0);
        assertThat(lease.holds(1_000_000)).isTrue();
    }

    @Test
    void acknowledgementsOfAnEarlierTermDoNotCount() {
        ack("b", 1, 100);
        lease.leads(2, 110);
        assertThat(lease.holds(120)).isFalse();
        ack("b", 1, 130);
        assertThat(lease.holds(140)).isFalse();
    }

    @Test
    void acknowledgementsThatCameBeforeTheLoopHeardOfItCount() {
        ack("b", 2, 100);
        lease.leads(2, 110);
        assertThat(lease.holds(120)).isTrue();
    }

    @Test
    void endsWhenANewerTermIsHeardOf() {
        lease.leads(1, 0);
        ack("b", 1, 100);
        lease.sawTerm(1);
        assertThat(lease.holds(110)).isTrue();
        lease.sawTerm(2);
        assertThat(lease.holds(110)).isFalse();
        ack("b", 1, 120);
        assertThat(lease.holds(130)).isFalse();
    }

    @Test
    void endsWhenLeadershipIsHandedOnAndComesBackLateWhenNobodyTookIt() {
        lease.leads(1, 0);
        ack("b", 1, 100);
        lease.handsOn(150);
        assertThat(lease.holds(151)).isFalse();
        ack("b", 1, 1_000);
        assertThat(lease.holds(1_001)).isFalse();
        ack("b", 1, 2_200);
        assertThat(lease.holds(2_210)).isTrue();
    }

    @Test
    void comesBackAtOnceWhenItIsCertainThatNobodyTookIt() {
        lease.leads(1, 0);
        ack("b", 1, 100);
        long ticket = lease.handsOn(150);
        assertThat(lease.waitsFor(ticket, 160)).isTrue();
        lease.notTaken(ticket, 160);
        assertThat(lease.waitsFor(ticket, 161)).isFalse();
        assertThat(lease.holds(999)).isTrue();
        assertThat(lease.holds(1_000)).isFalse();
    }

    @Test
    void staysAwayWhileOneOfTwoMayStillTakeIt() {
        lease.leads(1, 0);
        ack("b", 1, 100);
        long first = lease.handsOn(150);
        long second = lease.handsOn(160);
        lease.notTaken(second, 170);
        assertThat(lease.holds(171)).isFalse();
        lease.notTaken(first, 180);
        assertThat(lease.holds(181)).isTrue();
    }

    @Test
    void anAnswerOfAnEarlierTermDoesNotBringItBack() {
        lease.leads(1, 0);
        long ticket = lease.handsOn(50);
        lease.sawTerm(2);
        ack("b", 1, 100);
        lease.notTaken(ticket, 110);
        assertThat(lease.waitsFor(ticket, 110)).isFalse();
        assertThat(lease.holds(111)).isFalse();
    }

    @Test
    void whoIsLostDoesNotCountUntilHeardAgain() {
        lease.leads(1, 0);
        ack("b", 1, 100);
        lease.lost("c", 110);
        assertThat(lease.holds(110)).isTrue();
        lease.lost("b", 110);
        assertThat(lease.holds(110)).isFalse();
        ack("b", 1, 120);
        assertThat(lease.holds(130)).isTrue();
    }

    @Test
    void isRenewedBySignsOfLifeCloseToEachOther() {
        lease.leads(1, 0);
        for (long at = 10; at <= 5_000; at += 10) {
            ack("b", 1, at);
        }
        assertThat(lease.holds(5_800)).isTrue();
    }
}
