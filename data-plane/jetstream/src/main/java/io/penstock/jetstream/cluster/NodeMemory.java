package io.penstock.jetstream.cluster;

import io.penstock.storage.StorageException;
import io.penstock.storage.disk.Disk;
import java.nio.file.Path;

/** What a node that is about to start remembers of its cluster, and how it takes part as one that has forgotten. */
public final class NodeMemory {
    /** The file of the incarnation. A node without it draws a new one, and is let go and taken in anew by each group. */
    public static final String INCARNATION = "node";

    private NodeMemory() {}

    /**
     * Whether the node belongs to a cluster that was formed.
     *
     * @param directory where it keeps what it knows of the cluster, which need not be there
     * @throws StorageException when what is there is damaged
     */
    public static boolean inCluster(Disk disk, Path directory) {
        return disk.isDirectory(directory) && new MetaStore(disk, directory).founding() != null;
    }
}
