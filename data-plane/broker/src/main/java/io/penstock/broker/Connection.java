package io.penstock.broker;

import io.penstock.broker.internal.MessageOrigin;
import io.penstock.broker.permission.Permissions;
import java.time.Instant;
import java.util.Collection;

/**
 * The server's view of one connection. Reading is safe from any thread and may lag; changes are carried out on the
 * connection's event loop, in the order they were asked for.
 */
public interface Connection {
    /** The cid: unique on this server, rising from 1. */
    long id();

    ConnectionKind kind();

    ConnectionType type();

    ConnectionInfo info();

    /** The CONNECT in force; {@link ConnectRequest#IMPLICIT} before one arrived. */
    ConnectRequest request();

    /** The account it is bound to, or null before authentication. */
    Account account();

    Identity identity();

    Permissions permissions();

    UserLimits limits();

    Instant started();

    Instant lastActivity();

    /** Time from PING to PONG, 0 when not yet measured. */
    long roundTripNanos();

    /** Messages the client published. */
    long inMessages();

    long inBytes();

    /** Messages delivered to the client. */
    long outMessages();

    long outBytes();

    /** Bytes waiting to be written. */
    long pendingBytes();

    int subscriptionCount();

    /** A snapshot. */
    Collection<Subscription> subscriptions();

    boolean isClosed();

    /** Who its messages come from. */
    MessageOrigin origin();

    /** Sends {@code -ERR 'text'} and goes on. */
    void sendError(String text);

    /** Closes without a word. */
    void close(ClosedReason reason);

    /** Sends {@code -ERR 'text'}, then closes. */
    void close(ClosedReason reason, String error);

    /**
     * Replaces the permissions; subscriptions that are no longer allowed are removed, each with its error, and tracked
     * replies are forgotten.
     */
    void updatePermissions(Permissions permissions);

    /** Replaces the limits; a changed payload limit is announced by INFO. */
    void updateLimits(UserLimits limits);

    /** Replaces the identity and sets the expiry timer anew. */
    void updateIdentity(Identity identity);

    /** Tells the client alone that this server goes into lame duck mode. */
    void sendLameDuck();
}
