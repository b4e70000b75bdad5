package io.penstock.broker.engine;

import io.penstock.broker.Account;
import io.penstock.broker.BrokerStats;
import io.penstock.broker.ClosedReason;
import io.penstock.broker.ConnectionSnapshot;
import io.penstock.broker.InterestStats;
import io.penstock.broker.Subscription;
import io.penstock.broker.SubscriptionSnapshot;
import io.penstock.broker.TrafficStats;
import io.penstock.broker.route.RouteTotals;
import java.time.Instant;
import java.util.Collection;
import java.util.List;

/** Pictures of the broker for monitoring. */
final class Snapshots {
    private Snapshots() {}

    static ConnectionSnapshot of(
            ClientConnection connection, Instant stopped, ClosedReason reason, boolean withSubscriptions) {
        Account account = connection.account();
        List<SubscriptionSnapshot> subscriptions = withSubscriptions
                ? connection.subscriptions().stream().map(Snapshots::of).toList()
                : List.of();
        return new ConnectionSnapshot(
                connection.id(),
                connection.kind(),
                connection.type(),
                connection.info().remoteHost(),
                connection.info().remotePort(),
                connection.started(),
                connection.lastActivity(),
                stopped,
                reason,
                connection.roundTripNanos(),
                connection.pendingBytes(),
                connection.inMessages(),
                connection.outMessages(),
                connection.inBytes(),
                connection.outBytes(),
                account == null ? "" : account.name(),
                account == null ? "" : account.publicName(),
                connection.identity(),
                connection.request(),
                connection.info(),
                subscriptions);
    }

    private static SubscriptionSnapshot of(Subscription sub) {
        return new SubscriptionSnapshot(
                sub.account().name(),
                sub.account().publicName(),
                sub.pattern(),
                sub.queue(),
                sub.sid(),
                sub.delivered(),
                sub.max(),
                sub.connection() == null ? 0 : sub.connection().id());
    }

    static BrokerStats stats(BrokerEngine engine, Instant started, int connections, TrafficStats departed) {
        Counters counters = engine.counters();
        TrafficStats traffic = departed;
        int subscriptions = 0;
        int active = 0;
        Collection<LocalAccount> accounts = engine.registry().locals();
        for (LocalAccount account : accounts) {
            traffic = traffic.plus(account.traffic());
            subscriptions += account.localSubscriptions();
            active += account.connectionCount() > 0 ? 1 : 0;
        }
        return new BrokerStats(
                started,
                Instant.now(),
                connections,
                counters.totalConnections.sum(),
                traffic,
                counters.slowPending.sum(),
                counters.slowDeadline.sum(),
                counters.staleConnections.sum(),
                counters.stalledClients.sum(),
                counters.authenticationErrors.sum(),
                subscriptions,
                accounts.size(),
                active,
                engine.mesh() == null ? RouteTotals.NONE : engine.mesh().totals());
    }

    static InterestStats interest(Collection<LocalAccount> accounts) {
        long subscriptions = 0;
        long cached = 0;
        long inserts = 0;
        long removes = 0;
        long lookups = 0;
        long misses = 0;
        long fanoutMax = 0;
        long out = 0;
        for (LocalAccount account : accounts) {
            subscriptions += account.localSubscriptions();
            inserts += account.tree.inserts();
            removes += account.tree.removes();
            for (AccountLane lane : account.laneStates()) {
                cached += lane.routes.size();
                lookups += lane.lookups;
                misses += lane.misses;
                out += lane.outMessages;
                fanoutMax = Math.max(fanoutMax, lane.fanoutMax);
            }
        }
        double hitRate = lookups == 0 ? 0 : (double) (lookups - misses) / lookups;
        double averageFanout = lookups == 0 ? 0 : (double) out / lookups;
        return new InterestStats(subscriptions, cached, inserts, removes, lookups, hitRate, fanoutMax, averageFanout);
    }
}
