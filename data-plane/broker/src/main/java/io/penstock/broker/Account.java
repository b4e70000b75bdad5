package io.penstock.broker;

import io.penstock.broker.internal.InternalClient;
import io.penstock.broker.internal.JetStreamLimits;
import io.penstock.protocol.SubjectMappings;
import java.util.Collection;

/**
 * A tenant: it owns its interest graph, its connections and its limits. Nothing that is published in one account can
 * reach another except through a shadow subscription or a function that was put there on purpose. All methods may be
 * called from any thread.
 */
public interface Account {
    /** The key: public nkey in operator mode, else the configured name. */
    String name();

    /** The name for people. */
    String publicName();

    void setPublicName(String name);

    boolean isSystem();

    AccountLimits limits();

    /** New limits; the newest connections over the limit are closed, changed payload limits are announced. */
    void updateLimits(AccountLimits limits);

    /** What it may use of JetStream, or null when JetStream is off for it. */
    JetStreamLimits jetStream();

    /** Changes it and tells the account listeners; null turns JetStream off. */
    void updateJetStream(JetStreamLimits limits);

    /** Mappings that messages of clients and leaf nodes pass on their way in. */
    SubjectMappings mappings();

    void updateMappings(SubjectMappings mappings);

    /** Connections bound now. */
    Collection<Connection> connections();

    int connectionCount();

    /** Connections to other nodes of the cluster, as far as they have told. */
    int remoteConnectionCount();

    /** Leaf node connections to other nodes. */
    int remoteLeafNodeCount();

    /** Another node tells how many connections it has; limits count them. Zeros when it is gone. */
    void setRemoteConnections(String node, int connections, int leafNodes);

    /** All subscriptions in the graph, of the server itself too. A snapshot. */
    Collection<Subscription> subscriptions();

    /** Subscriptions of connections; those of the server itself are not counted. */
    int subscriptionCount();

    TrafficStats traffic();

    /**
     * A client of the server inside this account.
     *
     * @param kind SYSTEM, JETSTREAM or ACCOUNT: what its messages' origin says
     */
    InternalClient internalClient(ConnectionKind kind);

    /**
     * Subscribes a function.
     *
     * @param queue queue group or null
     */
    Subscription subscribe(String pattern, String queue, MessageTarget target);

    /**
     * Subscribes a function that the other nodes of the cluster are not told of. It takes only what was published on this
     * node: what comes over a route has met its like on the node it comes from.
     *
     * @param queue queue group or null
     */
    Subscription subscribeLocal(String pattern, String queue, MessageTarget target);

    /**
     * Puts a shadow of another account's subscription into this graph: the heart of a stream import. What matches
     * {@code pattern} here is delivered to {@code original}'s connection with its sid, its queue group and its
     * auto-unsubscribe count, under the rewritten subject. The shadow goes when the original goes. If the original is a
     * function, that function is called with the rewritten subject.
     *
     * @param rewrite deterministic; its results are cached by subject
     */
    Subscription subscribeShadow(Subscription original, String pattern, SubjectRewrite rewrite);

    /** Whether a literal subject has a subscriber here. */
    boolean hasInterest(String subject);

    /** Tells {@code listener} of every client subscription: those there are at once, then each change. */
    void addInterestListener(InterestListener listener);

    void removeInterestListener(InterestListener listener);
}
