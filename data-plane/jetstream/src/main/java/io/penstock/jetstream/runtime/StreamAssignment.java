package io.penstock.jetstream.runtime;

import io.penstock.broker.internal.MessageOrigin;
import io.penstock.protocol.jetstream.StreamConfig;

/**
 * Where a stream lies, by the cluster's metadata.
 *
 * @param group its placement group, {@code solo:<node>} for a stream that one node alone has
 * @param created nanoseconds since the epoch
 * @param generation index of the metadata's entry that made the stream: tells streams of one name apart
 * @param version index of the metadata's entry that last changed the configuration
 * @param request whom the group's leader answers once this version is applied; null for nobody
 * @param target the placement group it is on its way to, empty when it stays. While it is on its way configuration and
 *     group are those of before; the metadata changes both, in one entry, once it hears {@link Assignments#moved}
 */
public record StreamAssignment(
        String account,
        StreamConfig config,
        String group,
        long created,
        long generation,
        long version,
        Request request,
        String target) {
    /** An assignment that stays. */
    public StreamAssignment(
            String account,
            StreamConfig config,
            String group,
            long created,
            long generation,
            long version,
            Request request) {
        this(account, config, group, created, generation, version, request, "");
    }

    /**
     * The request that led to the assignment.
     *
     * @param create whether it asked for a new stream, not for a change
     * @param subject the subject it came on
     * @param reply where the answer goes
     */
    public record Request(boolean create, String subject, String reply, byte[] body, MessageOrigin origin) {}

    public String stream() {
        return config.name();
    }
}
