package io.penstock.consensus.raft;

import io.penstock.consensus.link.PeerLinks;
import io.penstock.storage.disk.Disk;
import io.penstock.storage.journal.Journal;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * What a node's engine works with.
 *
 * @param node this node's name
 * @param directory where the table of groups and the marks of checkpoints are
 * @param disk the disk of the directory
 * @param journal holds the logs and votes of all groups; shared with logs of one voter, whose numbers are below 1,000
 * @param links to the other nodes
 * @param electionMillis silence of a leader after which others stand for election; default 1,200. A silent leader is missed
 *     a quarter of that later; the engine's own timers may notice it in between
 * @param spreadMillis up to so much more between two strikes of the engine's own timers, by the dice; default 300
 * @param halt ends the process when going on would break what was promised: hears why
 */
public record RaftOptions(
        String node,
        Path directory,
        Disk disk,
        Journal journal,
        PeerLinks links,
        int electionMillis,
        int spreadMillis,
        Consumer<String> halt) {
    public RaftOptions(
            String node, Path directory, Disk disk, Journal journal, PeerLinks links, Consumer<String> halt) {
        this(node, directory, disk, journal, links, 1_200, 300, halt);
    }

    public RaftOptions withElection(int millis, int spread) {
        return new RaftOptions(node, directory, disk, journal, links, millis, spread, halt);
    }
}
