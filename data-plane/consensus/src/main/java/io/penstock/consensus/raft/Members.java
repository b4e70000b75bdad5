package io.penstock.consensus.raft;

import com.alipay.sofa.jraft.conf.Configuration;
import com.alipay.sofa.jraft.entity.PeerId;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;

/** The replicas of a group by the names of their nodes; while voters change, those of before vote too. */
record Members(Set<String> voters, Set<String> learners) {
    static final Members NONE = new Members(Set.of(), Set.of());

    static Members of(Collection<PeerId> voters, Collection<PeerId> oldVoters, Collection<PeerId> learners) {
        Set<String> voting = names(voters);
        voting.addAll(names(oldVoters));
        Set<String> listening = names(learners);
        listening.removeAll(voting);
        return new Members(voting, listening);
    }

    static Members of(Configuration configuration) {
        return of(configuration.getPeers(), null, configuration.getLearners());
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
