package io.penstock.consensus.raft;

import static org.assertj.core.api.Assertions.assertThat;

import com.alipay.sofa.jraft.entity.RaftOutter.SnapshotMeta;
import io.penstock.storage.StorageMetrics;
import io.penstock.storage.disk.TestingDisk;
import io.penstock.storage.journal.Journal;
import io.penstock.storage.journal.JournalOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class StoredGroupsTest {
    private static final Path RAFT = Path.of("/store/raft");

    private final TestingDisk disk = new TestingDisk();

    private StoredGroups read() {
        return StoredGroups.read(disk, RAFT, "n1");
    }

    private int add(String name, String... voters) {
        return new GroupTable(disk, RAFT).add(name, List.of(voters)).number();
    }

    private void mark(int number, long term, String... voters) throws IOException {
        SnapshotMeta.Builder meta =
                SnapshotMeta.newBuilder().setLastIncludedIndex(100).setLastIncludedTerm(term);
        PeerNames.peers(List.of(voters)).forEach(peer -> meta.addPeers(peer.toString()));
        new SmallFile(disk, RAFT.resolve(number + ".mark")).write(meta.build().toByteArray());
    }

    private Journal journal() {
        return Journal.open(disk, Path.of("/store/journal"), JournalOptions.DEFAULT, new StorageMetrics());
    }

    @Test
    void aGroupNeedsTheNodeUnlessTheOtherVotersAreAMajority() throws IOException {
        add("three", "n1", "n2", "n3");
        add("two", "n1", "n2");
        add("one", "n1");
        add("learner");
        add("elsewhere", "n2");
        mark(add("grown", "n1"), 1, "n1", "n2", "n3");
        mark(add("shrunk", "n1", "n2", "n3"), 1, "n1");
        assertThat(read().needing()).containsExactlyInAnyOrder("two", "one", "shrunk");
    }

    @Test
    void whatForgetsBeginsWithoutAVoteUnderAnotherNumber() throws IOException {
        int before = add("three", "n1", "n2", "n3");
        mark(before, 4, "n1", "n2", "n3");
        new VoteReserve(disk, RAFT.resolve(before + ".vote")).write(5, "n2:1");
        int kept = add("two", "n1", "n2");
        mark(kept, 4, "n1", "n2");
        read().forget();
        GroupTable table = new GroupTable(disk, RAFT);
        assertThat(table.find("three").waiting()).isTrue();
        assertThat(table.find("three").initialVoters()).isEmpty();
        assertThat(table.find("three").number()).isGreaterThan(kept);
        assertThat(table.find("two").waiting()).isFalse();
        assertThat(table.find("two").number()).isEqualTo(kept);
        assertThat(disk.files())
                .noneMatch(file -> file.getFileName().toString().startsWith(before + "."))
                .anyMatch(file -> file.getFileName().toString().equals(kept + ".mark"));
    }

    @Test
    void aJournalThatKnowsLessThanACheckpointHasForgotten() throws IOException {
        int told = add("told", "n1", "n2", "n3");
        int reserved = add("reserved", "n1", "n2", "n3");
        int lost = add("lost", "n1", "n2", "n3");
        int alone = add("alone", "n1");
        add("fresh", "n1", "n2", "n3");
        for (int number : List.of(told, reserved, lost, alone)) {
            mark(number, 4, number == alone ? new String[] {"n1"} : new String[] {"n1", "n2", "n3"});
        }
        new VoteReserve(disk, RAFT.resolve(reserved + ".vote")).write(4, "n2:1");
        try (Journal journal = journal()) {
            journal.group(told).saveVote(4, "");
            journal.group(lost).saveVote(3, "n1:1");
            assertThat(read().forgottenBy(journal)).containsExactlyInAnyOrder("lost", "alone");
            read().remind(journal);
            assertThat(read().forgottenBy(journal)).containsExactly("lost");
            assertThat(journal.group(alone).voteTerm()).isEqualTo(4);
            read().forget();
            assertThat(read().forgottenBy(journal)).isEmpty();
        }
    }
}
