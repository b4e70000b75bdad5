package io.penstock.consensus.raft;

import com.alipay.sofa.jraft.entity.PeerId;
import com.alipay.sofa.jraft.option.RaftMetaStorageOptions;
import com.alipay.sofa.jraft.storage.RaftMetaStorage;
import io.penstock.storage.journal.JournalGroup;

/** The engine's term and vote of one group, in the node's journal: on disk before it acts on them. */
final class JournalMetaStorage implements RaftMetaStorage {
    private final JournalGroup log;
    private final DiskPatience disk;

    JournalMetaStorage(JournalGroup log, DiskPatience disk) {
        this.log = log;
        this.disk = disk;
    }

    @Override
    public boolean init(RaftMetaStorageOptions options) {
        return true;
    }

    @Override
    public void shutdown() {
        // The journal is the node's.
    }

    @Override
    public boolean setTerm(long term) {
        return save(term, log.votedFor());
    }

    @Override
    public long getTerm() {
        return log.voteTerm();
    }

    @Override
    public boolean setVotedFor(PeerId peer) {
        return save(log.voteTerm(), text(peer));
    }

    @Override
    public PeerId getVotedFor() {
        String voted = log.votedFor();
        return voted.isEmpty() ? PeerId.emptyPeer() : PeerId.parsePeer(voted);
    }

    @Override
    public boolean setTermAndVotedFor(long term, PeerId peer) {
        return save(term, text(peer));
    }

    private static String text(PeerId peer) {
        return peer == null || peer.isEmpty() ? "" : peer.toString();
    }

    private boolean save(long term, String vote) {
        disk.vote(() -> log.saveVote(term, vote));
        return true;
    }
}
