package io.penstock.server.config;

import io.penstock.storage.disk.StoreCipher;
import io.penstock.storage.disk.StoreKeys;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;

/**
 * The {@code jetstream} block.
 *
 * @param storeDirectory as configured; the data is in its folder {@code jetstream}. Null for the machine's folder of
 *     temporary files
 * @param maxMemory bytes of memory storage; -1 takes it from the machine
 * @param maxStorage bytes of file storage; -1 takes it from the disk
 * @param domain or null
 * @param strict whether API requests with unknown fields are refused; on by default
 * @param syncAlways whether a publish is acknowledged only when it is on disk; on unless {@code sync_interval} is set
 * @param syncInterval longest time data waits for the disk when not {@code syncAlways}
 * @param uniqueTag or null
 * @param encryption of everything in the store
 */
public record JetStreamSettings(
        Path storeDirectory,
        long maxMemory,
        long maxStorage,
        String domain,
        boolean strict,
        boolean syncAlways,
        Duration syncInterval,
        String uniqueTag,
        Limits limits,
        Batches batches,
        Queues queues,
        Encryption encryption) {
    public static final int DEFAULT_MAX_CONSUMERS = 1_000;
    public static final Duration DEFAULT_SYNC_INTERVAL = Duration.ofMinutes(2);

    /**
     * How the store is encrypted.
     *
     * @param cipher of what is written from now on
     * @param key empty for no encryption
     * @param previous the key before this one; empty for none
     */
    public record Encryption(StoreCipher cipher, String key, String previous) {
        /** The keys of the store; null for none. */
        public StoreKeys keys(SecureRandom random) {
            return key.isEmpty() ? null : new StoreKeys(cipher, key, previous, random);
        }

        @Override
        public String toString() {
            return key.isEmpty() ? "none" : cipher.toString();
        }
    }

    /**
     * {@code jetstream.limits}; 0 is no limit.
     *
     * @param maxAckPending most unacknowledged messages of a consumer
     * @param maxHaAssets most replicated streams and consumers
     * @param maxRequestBatch most messages of one pull request
     * @param duplicateWindow longest duplicate window of a stream, or zero
     * @param defaultMaxConsumers most consumers of a stream that does not say; 1,000 by default
     */
    public record Limits(
            int maxAckPending,
            int maxHaAssets,
            int maxRequestBatch,
            Duration duplicateWindow,
            int defaultMaxConsumers) {}

    /**
     * {@code jetstream.limits.batch}: atomic publish batches; 0 where nothing is configured.
     *
     * @param inflightPerStream open batches of one stream; 50 by default
     * @param inflightTotal open batches of the server; 1,000 by default
     * @param maxMessages messages of one batch; 1,000 by default
     * @param timeout idle time after which a batch is given up; 10 s by default
     */
    public record Batches(int inflightPerStream, int inflightTotal, int maxMessages, Duration timeout) {}

    /**
     * Bounds of what waits.
     *
     * @param bufferedBytes bytes waiting for a stream; 128 MiB by default
     * @param bufferedMessages messages waiting for a stream; 100,000 by default
     * @param requests API requests waiting; 10,000 by default
     * @param infoRequests API info requests waiting; as {@code requests} by default
     */
    public record Queues(long bufferedBytes, int bufferedMessages, long requests, long infoRequests) {}
}
