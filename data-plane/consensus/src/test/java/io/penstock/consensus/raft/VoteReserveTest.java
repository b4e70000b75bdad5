package io.penstock.consensus.raft;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.storage.StorageException;
import io.penstock.storage.disk.TestingDisk;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;

class VoteReserveTest {
    private static final Path PATH = Path.of("/raft/1.vote");

    @Test
    void keepsAVoteOnAFullDiskAndOverPowerLoss() {
        TestingDisk disk = new TestingDisk();
        VoteReserve reserve = new VoteReserve(disk, PATH);
        disk.capacity(0);
        reserve.write(7, "b:1");
        VoteReserve again = new VoteReserve(disk.powerLoss(new Random(1)), PATH);
        assertThat(again.term()).isEqualTo(7);
        assertThat(again.votedFor()).isEqualTo("b:1");
        again.clear();
        assertThat(again.term()).isZero();
    }

    @Test
    void powerLossDuringAWriteLeavesTheOneBeforeOrTheNewOne() {
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            TestingDisk disk = new TestingDisk();
            VoteReserve reserve = new VoteReserve(disk, PATH);
            reserve.write(1, "a:1");
            reserve.write(2, "b:1");
            disk.crashAfter(random.nextInt(3));
            boolean written = true;
            try {
                reserve.write(3, "c:1");
            } catch (StorageException e) {
                written = false;
            }
            VoteReserve again = new VoteReserve(disk.powerLoss(random), PATH);
            assertThat(again.term()).as("seed " + seed).isBetween(written ? 3L : 2L, 3L);
            assertThat(again.votedFor()).as("seed " + seed).isEqualTo(again.term() == 3 ? "c:1" : "b:1");
        }
    }
}
