package io.penstock.broker;

import java.time.Instant;
import java.util.List;

/**
 * One connection, open or closed, as monitoring shows it.
 *
 * @param stopped null while it is open
 * @param reason null while it is open
 * @param account name of the account, empty before authentication
 * @param subscriptions those it has, or had when it closed
 */
public record ConnectionSnapshot(
        long id,
        ConnectionKind kind,
        ConnectionType type,
        String remoteHost,
        int remotePort,
        Instant started,
        Instant lastActivity,
        Instant stopped,
        ClosedReason reason,
        long roundTripNanos,
        long pendingBytes,
        long inMessages,
        long outMessages,
        long inBytes,
        long outBytes,
        String account,
        String accountPublicName,
        Identity identity,
        ConnectRequest request,
        ConnectionInfo info,
        List<SubscriptionSnapshot> subscriptions) {}
