package io.penstock.consensus.raft;

import com.alipay.sofa.jraft.entity.PeerId;
import com.alipay.sofa.jraft.option.RaftMetaStorageOptions;
import com.alipay.sofa.jraft.storage.RaftMetaStorage;
import io.penstock.storage.StorageException;
import io.penstock.storage.journal.JournalGroup;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The engine's term and vote of one group, in the node's journal, or in the reserve while the disk is full: on disk
 * before it acts on them.
 */
final class JournalMetaStorage implements RaftMetaStorage {
    private static final Logger LOG = LoggerFactory.getLogger(JournalMetaStorage.class);

    private final JournalGroup log;
    private final DiskPatience disk;
    private final VoteReserve reserve;

    JournalMetaStorage(JournalGroup log, DiskPatience disk, VoteReserve reserve) {
        this.log = log;
        this.disk = disk;
        this.reserve = reserve;
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
        return save(term, votedFor(log, reserve));
    }

    @Override
    public long getTerm() {
        return term(log, reserve);
    }

    static long term(JournalGroup log, VoteReserve reserve) {
        return Math.max(log.voteTerm(), reserve.term());
    }

    @Override
    public boolean setVotedFor(PeerId peer) {
        return save(getTerm(), text(peer));
    }

    @Override
    public PeerId getVotedFor() {
        String voted = votedFor(log, reserve);
        return voted.isEmpty() ? PeerId.emptyPeer() : PeerId.parsePeer(voted);
    }

    /** Within a term there is one vote at most: of two records of it, the one that names somebody is the later. */
    static String votedFor(JournalGroup log, VoteReserve reserve) {
        if (log.voteTerm() != reserve.term()) {
            return log.voteTerm() > reserve.term() ? log.votedFor() : reserve.votedFor();
        }
        return log.votedFor().isEmpty() ? reserve.votedFor() : log.votedFor();
    }

    @Override
    public boolean setTermAndVotedFor(long term, PeerId peer) {
        return save(term, text(peer));
    }

    private static String text(PeerId peer) {
        return peer == null || peer.isEmpty() ? "" : peer.toString();
    }

    private boolean save(long term, String vote) {
        disk.vote(() -> {
            try {
                log.saveVote(term, vote);
                reserve.clear();
            } catch (StorageException e) {
                if (log.journalFailure() != null) {
                    throw e;
                }
                LOG.warn("the vote of term {} goes to the reserve: {}", term, e.getMessage());
                reserve.write(term, vote);
            }
        });
        return true;
    }
}
