package io.penstock.consensus.raft;

import io.penstock.consensus.Replica;
import io.penstock.consensus.ReplicatedLog.Role;
import java.util.ArrayList;
import java.util.List;

/** The replicas of a group as a node sees them. Any thread. */
final class ReplicaView {
    private final RaftNode node;
    private final RaftLog group;
    private final GroupLife life;

    ReplicaView(RaftNode node, RaftLog group, GroupLife life) {
        this.node = node;
        this.group = group;
        this.life = life;
    }

    List<Replica> replicas() {
        Members members = life.members();
        List<Replica> replicas = new ArrayList<>();
        for (String replica : members.all()) {
            replicas.add(describe(replica, members.voters().contains(replica)));
        }
        return replicas;
    }

    private Replica describe(String replica, boolean voter) {
        boolean leads = replica.equals(group.leader());
        if (replica.equals(node.node())) {
            boolean current = group.role() == Role.LEADER || !group.leader().isEmpty();
            return new Replica(replica, voter, leads, current, 0, 0, false);
        }
        boolean offline = !node.links().up(replica);
        Follower follower = group.role() == Role.LEADER ? life.follower(replica) : null;
        if (follower == null || follower.lastIndex() < 0) {
            long age = follower == null ? -1 : follower.silentNanos(System.nanoTime());
            return new Replica(replica, voter, leads, leads && !offline, -1, age, offline);
        }
        long age = follower.silentNanos(System.nanoTime());
        long lag = Math.max(0, group.lastIndex() - follower.lastIndex());
        boolean heard = age >= 0 && age < node.electionNanos();
        boolean current = heard && !offline && follower.lastIndex() >= life.committedIndex();
        return new Replica(replica, voter, leads, current, lag, age, offline);
    }
}
