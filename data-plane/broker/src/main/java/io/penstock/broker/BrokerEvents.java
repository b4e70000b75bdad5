package io.penstock.broker;

/** Is told what happens to connections. Calls come on the connection's event loop and must not block. */
public interface BrokerEvents {
    /** Authentication succeeded; {@code account()} and {@code identity()} are set. */
    default void connected(Connection connection) {}

    /** A connection that had been authenticated ended. */
    default void disconnected(Connection connection, ClosedReason reason) {}

    /** Authentication failed; {@code detail} is for the log and the system account only. */
    default void authenticationFailed(Connection connection, ClosedReason reason, String detail) {}

    /** A connection is about to be closed because it does not read fast enough. */
    default void slowConsumer(Connection connection, ClosedReason reason) {}

    /** Connections were bound to or left the account. */
    default void accountConnectionsChanged(Account account) {}

    default void lameDuckStarted() {}

    default void stopping() {}
}
