package io.penstock.server.monitor;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.jetstream.StorageFigures;
import java.util.List;

/** JetStream as monitoring sees it. Methods may be called from any thread and may take a moment. */
public interface JetStreamSource {
    /** The block of {@code /varz}: configuration, figures, limits. */
    ObjectNode varz();

    /** The page {@code /jsz} without server id and time. */
    ObjectNode jsz(Wanted wanted);

    /** The page {@code /raftz}, empty on a node alone; {@code group} empty for all groups. */
    ObjectNode raft(String group);

    /** Whether this node leads the cluster's metadata; true on a node alone. */
    boolean leadsMetadata();

    /** What stops JetStream from serving, or null. */
    String problem();

    /** What is wrong with the first stream that does not work, or null. */
    String failedStream();

    boolean hasAccount(String account);

    boolean hasStream(String account, String stream);

    boolean hasConsumer(String account, String stream, String consumer);

    /** Figures for metrics. */
    Totals totals();

    /**
     * How much of JetStream is wanted.
     *
     * @param account only this one, or empty for all
     * @param accounts whether accounts are listed
     * @param streams whether their streams are
     * @param consumers whether the streams' consumers are
     * @param directConsumers whether the server's own consumers are too
     * @param configuration whether configurations are shown
     * @param raft whether replication is shown
     * @param ledOnly only streams this node leads
     * @param offset first account
     * @param limit most accounts
     */
    record Wanted(
            String account,
            boolean accounts,
            boolean streams,
            boolean consumers,
            boolean directConsumers,
            boolean configuration,
            boolean raft,
            boolean ledOnly,
            int offset,
            int limit) {}

    /** Sums over all accounts; sizes in bytes. */
    record Totals(
            long memory,
            long storage,
            long reservedMemory,
            long reservedStorage,
            long streams,
            long consumers,
            long messages,
            long bytes,
            long apiTotal,
            long apiErrors) {}

    /** How the files fare. */
    StorageFigures storage();

    /** The state of each stream, for metrics. */
    List<StreamFigures> streams();

    /** One stream's figures. */
    record StreamFigures(
            String account, String name, long messages, long bytes, long firstSequence, long lastSequence) {}
}
