package io.penstock.jetstream;

import io.penstock.consensus.RaftEngine;
import io.penstock.jetstream.runtime.ClusterMember;
import io.penstock.jetstream.runtime.Host;
import io.penstock.storage.disk.Disk;
import io.penstock.storage.journal.Journal;
import java.nio.file.Path;

/** What makes a node a member of a cluster; called once each while JetStream starts. */
public interface ClusterJoin {
    /**
     * Opens the engine of the replicated logs.
     *
     * @param journal the node's journal; its group 0 is the log of streams that only this node has
     * @param directory for the engine's own files
     */
    RaftEngine raft(Journal journal, Disk disk, Path directory);

    /** Makes the node's part of the metadata. */
    ClusterMember member(Host host, PlacementGroups groups, RaftEngine raft);
}
