package io.penstock.jetstream;

import java.nio.file.Path;
import java.util.Objects;

/**
 * How JetStream runs on a node. Sizes in bytes, durations in nanoseconds; -1 (sizes) and 0 (counts) mean no limit.
 *
 * @param storeDirectory where journal and streams live; default {@code jetstream} in the temporary directory
 * @param serverName name shown as leader and in advisories
 * @param domain prefix of the API's subjects, empty for none
 * @param maxMemory bytes all memory streams may use
 * @param maxStorage bytes all file streams may use
 * @param strict whether a field nobody knows makes a request invalid; default true
 * @param duplicateWindow longest duplicate window a stream may ask for, 0 for no limit
 * @param maxAckPending most unacknowledged messages a consumer may have, 0 for no limit
 * @param maxRequestBatch largest batch of a pull request, 0 for no limit
 * @param requestQueueLimit API requests that may wait; default 10,000
 * @param infoQueueLimit API requests for information that may wait; default 10,000
 * @param maxPayload largest message of the server, in bytes; default 1 MiB
 * @param maxPending most bytes a direct get sends in one batch when the request names no limit; default 64 MiB
 */
public record JetStreamOptions(
        Path storeDirectory,
        String serverName,
        String domain,
        long maxMemory,
        long maxStorage,
        boolean strict,
        long duplicateWindow,
        int maxAckPending,
        int maxRequestBatch,
        int requestQueueLimit,
        int infoQueueLimit,
        int maxPayload,
        long maxPending) {
    /** Refuses values that make no sense. */
    public JetStreamOptions {
        Objects.requireNonNull(storeDirectory, "storeDirectory");
        Objects.requireNonNull(serverName, "serverName");
        Objects.requireNonNull(domain, "domain");
        if (requestQueueLimit <= 0 || infoQueueLimit <= 0) {
            throw new IllegalArgumentException("request_queue_limit and info_queue_limit must be positive, got "
                    + requestQueueLimit + " and " + infoQueueLimit);
        }
    }

    /** The defaults for a store directory and server name. */
    public static JetStreamOptions of(Path storeDirectory, String serverName) {
        return new JetStreamOptions(
                storeDirectory, serverName, "", -1, -1, true, 0, 0, 0, 10_000, 10_000, 1 << 20, 64L << 20);
    }

    /** The same with a domain. */
    public JetStreamOptions withDomain(String name) {
        return new JetStreamOptions(
                storeDirectory,
                serverName,
                name,
                maxMemory,
                maxStorage,
                strict,
                duplicateWindow,
                maxAckPending,
                maxRequestBatch,
                requestQueueLimit,
                infoQueueLimit,
                maxPayload,
                maxPending);
    }

    /** The same with limits for the whole server. */
    public JetStreamOptions withLimits(long memory, long storage) {
        return new JetStreamOptions(
                storeDirectory,
                serverName,
                domain,
                memory,
                storage,
                strict,
                duplicateWindow,
                maxAckPending,
                maxRequestBatch,
                requestQueueLimit,
                infoQueueLimit,
                maxPayload,
                maxPending);
    }

    /** The same with unknown fields refused or ignored. */
    public JetStreamOptions withStrict(boolean refuseUnknown) {
        return new JetStreamOptions(
                storeDirectory,
                serverName,
                domain,
                maxMemory,
                maxStorage,
                refuseUnknown,
                duplicateWindow,
                maxAckPending,
                maxRequestBatch,
                requestQueueLimit,
                infoQueueLimit,
                maxPayload,
                maxPending);
    }

    /** The same with the limits of consumers and duplicate windows. */
    public JetStreamOptions withAssetLimits(long window, int ackPending, int requestBatch) {
        return new JetStreamOptions(
                storeDirectory,
                serverName,
                domain,
                maxMemory,
                maxStorage,
                strict,
                window,
                ackPending,
                requestBatch,
                requestQueueLimit,
                infoQueueLimit,
                maxPayload,
                maxPending);
    }

    /** The same with other bounds of the API's queues and of messages. */
    public JetStreamOptions withBounds(int requests, int infos, int payload, long pending) {
        return new JetStreamOptions(
                storeDirectory,
                serverName,
                domain,
                maxMemory,
                maxStorage,
                strict,
                duplicateWindow,
                maxAckPending,
                maxRequestBatch,
                requests,
                infos,
                payload,
                pending);
    }
}
