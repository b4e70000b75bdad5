package io.penstock.broker.system;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.broker.Account;
import io.penstock.broker.AccountRegistry;
import io.penstock.broker.Broker;
import io.penstock.broker.BrokerEvents;
import io.penstock.broker.ClosedReason;
import io.penstock.broker.Connection;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Publishes in the system account what happens on this server. An event that nobody listens to costs one look into the
 * interest graph and nothing more.
 */
final class SystemEvents implements BrokerEvents {
    private static final String CONNECT_TYPE = "io.nats.server.advisory.v1.client_connect";
    private static final String DISCONNECT_TYPE = "io.nats.server.advisory.v1.client_disconnect";
    private static final String ACCOUNT_AUTH_ERROR = "$SYS.ACCOUNT.CLIENT.AUTH.ERR";
    private static final byte[] NO_HEADERS = {};
    private static final long GATHER_MILLIS = 10;

    private final Broker broker;
    private final ServerInfo server;
    private final ServerStats stats;
    private final AccountReports reports;
    private final InstantSource clock;
    private final ScheduledExecutorService timer;

    /** Accounts whose numbers are to be told, by name: a burst of connections is told once. */
    private final Map<String, Account> changed = new ConcurrentHashMap<>();

    private final AtomicBoolean scheduled = new AtomicBoolean();

    /** Accounts that had connections when all were told last; the timer's thread. */
    private final Set<String> told = new HashSet<>();

    SystemEvents(
            Broker broker,
            ServerInfo server,
            ServerStats stats,
            AccountReports reports,
            InstantSource clock,
            ScheduledExecutorService timer) {
        this.broker = broker;
        this.server = server;
        this.stats = stats;
        this.reports = reports;
        this.clock = clock;
        this.timer = timer;
    }

    private void publish(String subject, Supplier<ObjectNode> body) {
        publish(broker.accounts().system(), subject, body);
    }

    private static void publish(Account account, String subject, Supplier<ObjectNode> body) {
        if (account != null && account.hasInterest(subject)) {
            ReplySender.publish(account, subject, NO_HEADERS, Json.bytes(body.get()));
        }
    }

    private String serverSubject(String event) {
        return "$SYS.SERVER." + broker.identity().id() + "." + event;
    }

    private static String accountSubject(Account account, String event) {
        return "$SYS.ACCOUNT." + account.name() + "." + event;
    }

    @Override
    public void connected(Connection connection) {
        publish(accountSubject(connection.account(), "CONNECT"), () -> {
            ObjectNode event = Events.header(CONNECT_TYPE, clock.instant());
            event.set("server", server.next());
            event.set("client", ClientInfo.of(connection));
            return event;
        });
    }

    @Override
    public void disconnected(Connection connection, ClosedReason reason) {
        publish(accountSubject(connection.account(), "DISCONNECT"), () -> disconnect(connection, reason));
    }

    private ObjectNode disconnect(Connection connection, ClosedReason reason) {
        ObjectNode event = Events.header(DISCONNECT_TYPE, clock.instant());
        event.set("server", server.next());
        ObjectNode client = ClientInfo.of(connection);
        client.put("rtt", connection.roundTripNanos());
        Json.putTime(client, "stop", clock.instant());
        event.set("client", client);
        // From the client's point of view: what it sent is what came in here.
        event.set("sent", Json.counters(connection.inMessages(), connection.inBytes()));
        event.set("received", Json.counters(connection.outMessages(), connection.outBytes()));
        event.put("reason", reason.text());
        return event;
    }

    @Override
    public void authenticationFailed(Connection connection, ClosedReason reason, String detail) {
        // A client that failed belongs to nobody: only the account of servers without accounts may hear of it, since
        // what was tried says something of whoever it was tried for.
        if (!connection.request().implicit()) {
            Account global = broker.accounts().find(AccountRegistry.GLOBAL);
            publish(global, ACCOUNT_AUTH_ERROR, () -> disconnect(connection, reason));
        }
        publish(serverSubject("CLIENT.AUTH.ERR"), () -> disconnect(connection, reason));
    }

    @Override
    public void accountConnectionsChanged(Account account) {
        changed.put(account.name(), account);
        if (scheduled.compareAndSet(false, true)) {
            try {
                var _ = timer.schedule(this::publishChanged, GATHER_MILLIS, TimeUnit.MILLISECONDS);
            } catch (RejectedExecutionException _) {
                // The server stops; nobody counts its connections any more.
                changed.clear();
            }
        }
    }

    private void publishChanged() {
        scheduled.set(false);
        for (String name : List.copyOf(changed.keySet())) {
            Account account = changed.remove(name);
            if (account != null) {
                publishConnections(account);
            }
        }
    }

    private void publishConnections(Account account) {
        publish(accountSubject(account, "SERVER.CONNS"), () -> reports.connections(account));
        publish("$SYS.SERVER.ACCOUNT." + account.name() + ".CONNS", () -> reports.connections(account));
    }

    @Override
    public void lameDuckStarted() {
        publish(serverSubject("LAMEDUCK"), server::next);
    }

    @Override
    public void stopping() {
        publish(serverSubject("SHUTDOWN"), server::next);
    }

    /** Called every few seconds. */
    void publishStats() {
        publish(serverSubject("STATSZ"), stats::statsz);
    }

    /** Called every half minute, so that a listener that came late learns the numbers too. */
    void publishAllConnections() {
        for (Account account : broker.accounts().accounts()) {
            boolean any = account.connectionCount() > 0;
            // The end of the last connection is told once more, should the first word of it have been lost.
            boolean had = any ? told.add(account.name()) : told.remove(account.name());
            if (any || had) {
                publishConnections(account);
            }
        }
    }
}
