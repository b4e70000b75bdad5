package io.penstock.consensus;

import java.util.List;

/** Runs the groups of a node. Safe for use from any thread. */
public interface RaftEngine extends AutoCloseable {
    /** This node's name. */
    String node();

    /**
     * Takes a group up, found on disk or new; {@link RaftGroup#start} sets it going. A replica that is found goes by
     * what its log says of the voters; a new one with no initial voters waits to be added, and casts no vote until then:
     * it may stand in for one that has forgotten what it voted.
     *
     * @param group letters, digits, {@code _} and {@code -}, at most 128
     * @param loop the loop everything of the group happens on; several groups may share it
     * @param initialVoters names of the nodes the group begins with, the same on each of them; empty to wait
     * @param snapshots the state machine's part in catching up
     */
    RaftGroup open(String group, GroupLoop loop, List<String> initialVoters, Snapshots snapshots);

    /** Groups that are on disk here, open or not. */
    List<String> stored();

    /** Closes a group and forgets its log and vote. Its state is the state machine's to remove. */
    void remove(String group);

    /** Closes all groups. */
    @Override
    void close();
}
