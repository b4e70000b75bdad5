package io.penstock.jetstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.consensus.GroupLoop;
import io.penstock.consensus.Snapshots;
import io.penstock.consensus.ThreadedGroupLoop;
import io.penstock.consensus.link.LinkOptions;
import io.penstock.consensus.link.PeerLinks;
import io.penstock.consensus.link.TcpPeerLinks;
import io.penstock.consensus.raft.RaftNode;
import io.penstock.consensus.raft.RaftOptions;
import io.penstock.consensus.raft.StoredGroups;
import io.penstock.jetstream.cluster.TestingMemory;
import io.penstock.storage.StorageException;
import io.penstock.storage.StorageMetrics;
import io.penstock.storage.disk.TestingDisk;
import io.penstock.storage.journal.DamagedJournalException;
import io.penstock.storage.journal.Journal;
import io.penstock.storage.journal.JournalEntry;
import io.penstock.storage.journal.JournalOptions;
import io.penstock.storage.store.StoreDirectory;
import io.penstock.storage.store.StoreOptions;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NodeJournalTest {
    private static final Path STORE = Path.of("/store");
    private static final Path CLUSTER = STORE.resolve("cluster");
    private static final Path DAMAGED = STORE.resolve("damaged");

    /** Nobody asks for copies here. */
    private static final Snapshots NO_COPIES = new Snapshots() {
        @Override
        public byte[] manifest() throws IOException {
            throw new IOException("no copies");
        }

        @Override
        public InputStream open(String file) throws IOException {
            throw new IOException("no copies");
        }

        @Override
        public Staged fetch(Fetcher fetcher) throws IOException {
            throw new IOException("no copies");
        }
    };

    private final StorageMetrics metrics = new StorageMetrics();
    private TestingDisk disk = new TestingDisk();

    private NodeJournal opener(String member) {
        return new NodeJournal(disk, STORE, JournalOptions.DEFAULT, metrics, member);
    }

    /** A member of a cluster with a group, and a journal whose first half is wrong. */
    @BeforeEach
    void aNodeWithADamagedJournal() {
        TestingMemory.founded(disk, CLUSTER, "n1", "n2", "n3");
        groups("G", "n1", "n2", "n3");
        damage();
    }

    private void groups(String group, String... voters) {
        try (Journal journal = opener(null).open();
                PeerLinks links = TcpPeerLinks.open(LinkOptions.local("n1", "C", "secret"));
                ThreadedGroupLoop loop = new ThreadedGroupLoop("test", Clock.systemUTC())) {
            GroupLoop other = loop;
            RaftNode node =
                    RaftNode.open(new RaftOptions("n1", STORE.resolve("raft"), disk, journal, links, reason -> {}));
            node.open(group, other, List.of(voters), NO_COPIES);
            node.close();
        }
    }

    private void damage() {
        try (Journal journal = opener(null).open()) {
            for (int i = 0; i < 20; i++) {
                long next = journal.group(1000).lastIndex() + 1;
                journal.group(1000)
                        .appendAndWait(List.of(new JournalEntry(next, 1, (byte) 0, next, new byte[100], 100)));
            }
        }
        Path file = disk.files().stream()
                .filter(each -> each.toString().endsWith(".journal") && !each.startsWith(DAMAGED))
                .findFirst()
                .orElseThrow();
        byte[] bytes = disk.bytes(file).clone();
        java.util.Arrays.fill(bytes, bytes.length / 2, bytes.length / 2 + 64, (byte) 0);
        disk.overwrite(file, bytes);
    }

    private List<String> voting() {
        return StoredGroups.read(disk, STORE.resolve("raft"), "n1").voting();
    }

    private void assertSetAside(int folders) {
        assertThat(disk.list(DAMAGED)).hasSize(folders);
        assertThat(TestingMemory.incarnation(disk, CLUSTER)).isNull();
        assertThat(TestingMemory.founded(disk, CLUSTER)).isTrue();
        assertThat(voting()).isEmpty();
    }

    @Test
    void aMemberWhoseJournalIsDamagedForgetsItAndKeepsTheFiles() {
        assertThat(voting()).containsExactly("G");
        NodeJournal opener = opener("n1");
        try (Journal journal = opener.open()) {
            assertThat(journal.group(1000).lastIndex()).isZero();
        }
        assertSetAside(1);
        assertThat(opener.setAside()).isEqualTo(1);
        assertThat(disk.files())
                .anyMatch(file -> file.startsWith(DAMAGED.resolve("1/journal")))
                .anyMatch(file -> file.equals(DAMAGED.resolve("1/node")));
    }

    @Test
    void aNodeAloneRefusesAsEver() {
        assertThatThrownBy(() -> opener(null).open()).isInstanceOf(DamagedJournalException.class);
        assertThat(disk.list(DAMAGED)).isEmpty();
    }

    @Test
    void aTornTailIsNoReasonToForget() {
        disk = new TestingDisk();
        TestingMemory.founded(disk, CLUSTER, "n1", "n2", "n3");
        groups("G", "n1", "n2", "n3");
        try (Journal journal = opener(null).open()) {
            journal.group(1000).appendAndWait(List.of(new JournalEntry(1, 1, (byte) 0, 1, new byte[100], 100)));
        }
        Path file = disk.files().stream()
                .filter(each -> each.toString().endsWith(".journal"))
                .findFirst()
                .orElseThrow();
        byte[] bytes = disk.bytes(file);
        disk.overwrite(file, java.util.Arrays.copyOf(bytes, bytes.length - 37));
        try (Journal journal = opener("n1").open()) {
            assertThat(journal.group(1000).lastIndex()).isEqualTo(1);
        }
        assertThat(disk.list(DAMAGED)).isEmpty();
        assertThat(voting()).containsExactly("G");
    }

    @Test
    void refusesWhileAStreamIsHereOnly() throws IOException {
        StoreDirectory stores = StoreDirectory.open(disk, STORE.resolve("streams"), StoreOptions.DEFAULT, metrics);
        var _ = stores.create("ACME", "ORDERS", 7);
        stores.syncDirectories();
        assertThatThrownBy(() -> opener("n1").open())
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("ORDERS")
                .hasMessageContaining("Restore the file")
                .hasMessageContaining(".journal");
        assertThat(disk.list(DAMAGED)).isEmpty();
        assertThat(voting()).containsExactly("G");
    }

    @Test
    void refusesWhileAGroupNeedsThisNode() {
        disk = new TestingDisk();
        TestingMemory.founded(disk, CLUSTER, "n1", "n2");
        groups("PAIR", "n1", "n2");
        damage();
        assertThatThrownBy(() -> opener("n1").open())
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("no majority without this node: PAIR");
        assertThat(voting()).containsExactly("PAIR");
    }

    @Test
    void refusesWhenTheClusterWasNeverFormed() throws IOException {
        disk.delete(CLUSTER.resolve("founding"));
        assertThatThrownBy(() -> opener("n1").open())
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("never was in a cluster");
    }

    @Test
    void refusesWhenTooMuchWasSetAsideBefore() {
        for (int i = 1; i <= 8; i++) {
            opener("n1").open().close();
            assertThat(disk.list(DAMAGED)).hasSize(i);
            damage();
        }
        assertThatThrownBy(() -> opener("n1").open())
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("8 damaged journals")
                .hasMessageContaining("remove them");
    }

    /** Crashes after every call to the disk: whenever the damaged journal is gone, all votes are, too. */
    @Test
    void neverHasANewJournalWithOldVotes() {
        TestingDisk before = disk;
        for (int crash = 1; ; crash++) {
            disk = before.processDeath();
            disk.crashAfter(crash);
            boolean crashed = false;
            try {
                opener("n1").open().close();
            } catch (StorageException e) {
                crashed = true;
            }
            disk = disk.powerLoss(new java.util.Random(crash));
            boolean replaced = disk.list(STORE.resolve("journal")).isEmpty()
                    || disk.list(DAMAGED).stream()
                            .anyMatch(
                                    folder -> !disk.list(DAMAGED.resolve(folder).resolve("journal"))
                                            .isEmpty());
            if (replaced) {
                assertThat(voting()).as("after call %d", crash).isEmpty();
                assertThat(TestingMemory.incarnation(disk, CLUSTER)).isNull();
            }
            opener("n1").open().close();
            assertThat(voting()).as("after call %d", crash).isEmpty();
            assertThat(TestingMemory.incarnation(disk, CLUSTER)).isNull();
            if (!crashed) {
                return;
            }
        }
    }
}
