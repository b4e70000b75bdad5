package io.penstock.jetstream.cluster;

import io.penstock.storage.disk.Disk;
import java.nio.file.Path;
import java.util.Map;

/** What a node that took part in forming a cluster has on its disk. */
public final class TestingMemory {
    private TestingMemory() {}

    public static void founded(Disk disk, Path directory, String... nodes) {
        MetaStore store = new MetaStore(disk, directory);
        store.incarnation("i-" + nodes[0]);
        Map<String, String> voters = new java.util.TreeMap<>();
        for (String node : nodes) {
            voters.put(node, "i-" + node);
        }
        store.founding(new MetaStore.Founding(1, voters));
    }

    /** The incarnation of the node, null when it has none. */
    public static String incarnation(Disk disk, Path directory) {
        return new MetaStore(disk, directory).incarnation();
    }

    /** Whether it knows that its cluster was formed. */
    public static boolean founded(Disk disk, Path directory) {
        return new MetaStore(disk, directory).founding() != null;
    }
}
