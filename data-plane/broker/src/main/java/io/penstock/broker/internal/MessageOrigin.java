package io.penstock.broker.internal;

/**
 * The publisher of a message, for audit, advisories and latency records.
 *
 * @param kind Client, System, JetStream, Account, Leafnode or Router
 * @param connectionId the cid, 0 for internal publishers
 * @param account name (public key in operator mode) of the account it is bound to
 * @param serviceAccount when the message came through a service import: the exporting account, else empty
 */
public record MessageOrigin(
        String kind,
        long connectionId,
        String account,
        String serviceAccount,
        String user,
        String name,
        String language,
        String version,
        String host,
        String jwt,
        String issuerKey,
        String nameTag,
        long startNanos,
        long roundTripNanos) {}
