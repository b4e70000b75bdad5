package io.penstock.broker.route;

import java.time.Instant;
import java.util.List;

/**
 * One connection to another node, as monitoring shows it.
 *
 * @param id unique among the connections of this server
 * @param solicited whether this node dialled
 * @param configured whether the other node is named by the configuration
 * @param account the account it is reserved for, or empty
 * @param compression what is in force
 * @param interest patterns the other node wants, empty unless asked for
 */
public record RouteSnapshot(
        long id,
        String remoteId,
        String remoteName,
        boolean solicited,
        boolean configured,
        String host,
        int port,
        Instant started,
        Instant lastActivity,
        long roundTripNanos,
        long pendingBytes,
        long inMessages,
        long outMessages,
        long inBytes,
        long outBytes,
        int subscriptions,
        String account,
        String compression,
        List<RouteInterest> interest) {

    /**
     * What the other node wants.
     *
     * @param queue null for none
     * @param weight members of the queue group there
     */
    public record RouteInterest(String account, String pattern, String queue, int weight) {}
}
