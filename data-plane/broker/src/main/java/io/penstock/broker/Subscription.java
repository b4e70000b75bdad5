package io.penstock.broker;

/** A live subscription in an account's interest graph. */
public interface Subscription {
    /** Subject pattern, as wire bytes. */
    String pattern();

    /** Queue group or null. */
    String queue();

    /** The client's name for it; empty for subscriptions of the server itself. */
    String sid();

    /** Owner, or null for subscriptions of the server itself. */
    Connection connection();

    /** Account in whose interest graph it stands. */
    Account account();

    /** Messages delivered so far. */
    long delivered();

    /** Deliveries after which it removes itself, 0 when unlimited. */
    long max();

    /** Takes it out of the graph; no effect when it is gone. For connections' own subscriptions no error is sent. */
    void remove();
}
