package io.penstock.broker.sharing;

import java.time.Duration;
import java.util.List;

/**
 * A stream or service that an account of the configuration offers.
 *
 * @param subject subject pattern offered
 * @param accounts names of the accounts that may import it; empty means every account
 * @param responseType how many answers a request may have; {@link ResponseType#SINGLETON} by default
 * @param responseThreshold longest wait for an answer, or null for the default of 2 minutes
 * @param latency measurement of the service, or null
 * @param accountTokenPosition 1-based position of the token that must be the importer's account, 0 for none
 * @param allowTrace whether message traces may go into the exporting account
 */
public record ExportConfig(
        ShareKind kind,
        String subject,
        List<String> accounts,
        ResponseType responseType,
        Duration responseThreshold,
        Latency latency,
        int accountTokenPosition,
        boolean allowTrace) {
    public ExportConfig {
        accounts = List.copyOf(accounts);
    }

    /** How a service answers. */
    public enum ResponseType {
        /** Exactly one answer. */
        SINGLETON,
        /** Answers until an empty one, or until none comes for the threshold. */
        STREAM,
        /** One answer in several messages, ended like a stream. */
        CHUNKED
    }

    /**
     * Latency tracking.
     *
     * @param sampling per cent of requests measured, 1 to 100; 0 measures those whose headers ask for it
     * @param subject where results are published, in the exporting account
     */
    public record Latency(int sampling, String subject) {}
}
