package io.penstock.consensus;

import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * A replicated log with several replicas. As with {@link ReplicatedLog}, every method is called on the group's loop and
 * every answer arrives there, unless it says otherwise.
 */
public interface RaftGroup extends ReplicatedLog {
    String name();

    /**
     * The replicas as this node knows them, in the order of their names. Only the leader knows of the others' lag and
     * of when they were last heard. Any thread.
     */
    List<Replica> replicas();

    /** Index of the last entry that is in this replica's log, committed or not. Any thread. */
    long lastIndex();

    /**
     * Hands leadership to another voter, which is brought up to date first; entries proposed meanwhile wait. Fails when
     * this node does not lead or the other does not take over within an election time-out.
     *
     * @param node the voter, or empty for whoever ranks first among those that are up to date
     */
    CompletionStage<Void> transferLeadership(String node);

    /** Adds a replica that receives entries and does not vote. Leader only. */
    CompletionStage<Void> addLearner(String node);

    /** Makes a learner a voter. Leader only; do so once it is current. */
    CompletionStage<Void> promote(String node);

    /** Removes a replica, voter or learner; a leader that removes itself steps down. Leader only. */
    CompletionStage<Void> removeReplica(String node);

    /**
     * Goes to this set of voters in one step, through a joint majority of old and new; learners named become voters,
     * voters not named leave. Leader only, one change at a time.
     */
    CompletionStage<Void> changeVoters(List<String> nodes);

    /**
     * A point such that whoever has applied up to it has seen everything acknowledged before the call; asked of the
     * leader by a follower. It completes once this replica has applied that much, with the index.
     */
    CompletionStage<Long> readIndex();

    /**
     * Who should lead, best first. When the leader's process is gone the first of those still here calls an election at
     * once. It places nobody by itself: that is the balancer's, with {@link #transferLeadership}.
     */
    void preferLeaders(List<String> ranked);
}
