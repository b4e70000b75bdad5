package io.penstock.broker;

import io.penstock.broker.route.ClusterView;
import io.penstock.broker.route.RouteSnapshot;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** A running message broker: listeners, accounts, connections. Safe for use from any thread. */
public interface Broker extends AutoCloseable {
    ServerIdentity identity();

    BrokerOptions options();

    AccountRegistry accounts();

    /** Sets who decides on connections; before {@link #start}. Without one every client is bound to {@code $G}. */
    void setAuthenticator(Authenticator authenticator);

    void addEvents(BrokerEvents events);

    /** The other nodes of the cluster; nobody without {@link BrokerOptions#cluster()}. */
    ClusterView cluster();

    /** Says where this node's peer link listens, for the others to know; before {@link #start}. */
    void announcePeerLink(String host, int port);

    /** Opens the listeners. Fails with a message that names address and port when one cannot be bound. */
    CompletionStage<Void> start();

    /** Where clients connect, or null when there is no such listener. */
    InetSocketAddress clientAddress();

    InetSocketAddress webSocketAddress();

    /** Where other nodes connect, or null without a cluster. */
    InetSocketAddress clusterAddress();

    /** Connections to other nodes. */
    List<RouteSnapshot> routes(boolean withInterest);

    /** {@code host:port} of all nodes' client listeners, this one's first; empty without a cluster. */
    List<String> clientUrls();

    /** The same of WebSocket listeners. */
    List<String> webSocketUrls();

    /**
     * Applies options that can change while running: limits, timing, TLS material, advertised addresses. Listener
     * addresses and event loops stay.
     */
    void reload(BrokerOptions options);

    /** Closes the listeners, tells clients to go elsewhere, then closes them one by one; done when all are gone. */
    CompletionStage<Void> lameDuck();

    boolean isLameDuck();

    /** Closes everything with {@link ClosedReason#SERVER_SHUTDOWN} after sending what waits, for at most 2 s. */
    CompletionStage<Void> stop();

    /** Stops and waits for at most 5 s. */
    @Override
    void close();

    List<Connection> connections();

    /** The connection of this cid, or null. */
    Connection connection(long id);

    List<ConnectionSnapshot> openConnections(boolean withSubscriptions);

    /** Connections closed lately, oldest first, at most {@code maxClosedClients}. */
    List<ConnectionSnapshot> closedConnections();

    BrokerStats stats();

    /** Figures of one account's interest graph, or of all for null. */
    InterestStats interestStats(String account);

    /** Runs a task on an event loop after a delay; for short, non-blocking work. */
    void schedule(Duration delay, Runnable task);
}
