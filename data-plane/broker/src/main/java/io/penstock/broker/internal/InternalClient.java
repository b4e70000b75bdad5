package io.penstock.broker.internal;

/**
 * A client inside the server, bound to one account: how JetStream and the system services take part in routing.
 *
 * <p>Every method may be called from any thread. Deliveries keep the order of the calls of one thread. Byte arrays are
 * shared with the connections' outbound queues and must not change afterwards.
 */
public interface InternalClient {
    /** Account this client is bound to. */
    String account();

    /** Subscribes. The handler runs on the publisher's event loop and must not block. */
    InternalSubscription subscribe(String pattern, InternalHandler handler);

    /** Subscribes as a member of a queue group. */
    InternalSubscription subscribeQueue(String pattern, String queue, InternalHandler handler);

    /**
     * Subscribes without telling the other nodes of the cluster. Takes only what was published on this node, nothing that
     * came over a route. Without a cluster the same as {@link #subscribe}.
     */
    default InternalSubscription subscribeLocal(String pattern, InternalHandler handler) {
        return subscribe(pattern, handler);
    }

    /**
     * Publishes with ordinary routing in the account (imports and exports included).
     *
     * @param reply reply subject or null
     * @param headers complete header block or an empty array
     * @return whether anybody received it
     */
    boolean publish(String subject, String reply, byte[] headers, byte[] payload);

    /**
     * Delivers to the subscribers of {@code route} a message that shows {@code subject}: how a consumer hands out
     * stream messages on an inbox.
     *
     * @return whether anybody received it
     */
    boolean deliver(String route, String subject, String reply, byte[] headers, byte[] payload);

    /** Whether a subscription in the account (or behind it) matches this literal subject. */
    boolean hasInterest(String subject);

    /**
     * Whether somebody in the account, on any node, subscribed to just this literal subject. Clients have subscriptions to
     * all their inboxes at once, which tell nothing of a single one.
     */
    default boolean hasSubscription(String subject) {
        return hasInterest(subject);
    }

    /**
     * Watches a literal subject: the watcher is told, on an arbitrary thread, each time interest appears or vanishes,
     * and once at the start.
     */
    InternalSubscription watchInterest(String subject, InterestWatcher watcher);

    /** Sends what publish and deliver have gathered on this thread; called at the end of a batch. */
    void flush();

    /** Receives messages of a subscription. */
    interface InternalHandler {
        void onMessage(InboundMessage message);
    }

    /** Is told of interest coming and going. */
    interface InterestWatcher {
        void onInterest(boolean present);
    }

    /** A live subscription or watch. */
    interface InternalSubscription extends AutoCloseable {
        @Override
        void close();
    }
}
