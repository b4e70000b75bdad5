package io.penstock.consensus.raft;

import com.alipay.sofa.jraft.conf.Configuration;
import com.alipay.sofa.jraft.entity.PeerId;
import com.alipay.sofa.jraft.entity.RaftOutter.SnapshotMeta;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The replicas of a group by the names of their nodes.
 *
 * @param voters who votes; while voters change, those of before vote too
 * @param learners who receives entries and does not vote
 * @param quorums the sets of voters of each of which a majority is needed: one, two while voters change
 */
record Members(Set<String> voters, Set<String> learners, List<Set<String>> quorums) {
    static final Members NONE = new Members(Set.of(), Set.of(), List.of());

    static Members of(Collection<PeerId> voters, Collection<PeerId> oldVoters, Collection<PeerId> learners) {
        Set<String> present = names(voters);
        Set<String> before = names(oldVoters);
        Set<String> voting = new TreeSet<>(present);
        voting.addAll(before);
        Set<String> listening = names(learners);
        listening.removeAll(voting);
        return new Members(voting, listening, before.isEmpty() ? List.of(present) : List.of(present, before));
    }

    static Members of(Configuration configuration) {
        return of(configuration.getPeers(), null, configuration.getLearners());
    }

    /** The members a mark tells of. */
    static Members of(SnapshotMeta mark) {
        return of(parse(mark.getPeersList()), parse(mark.getOldPeersList()), parse(mark.getLearnersList()));
    }

    private static List<PeerId> parse(List<String> peers) {
        return peers.stream().map(PeerId::parsePeer).toList();
    }

    private static Set<String> names(Collection<PeerId> peers) {
        Set<String> names = new TreeSet<>();
        if (peers != null) {
            peers.forEach(peer -> names.add(PeerNames.node(peer)));
        }
        return names;
    }

    Set<String> all() {
        Set<String> all = new TreeSet<>(voters);
        all.addAll(learners);
        return all;
    }
}
