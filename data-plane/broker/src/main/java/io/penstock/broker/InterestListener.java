package io.penstock.broker;

/**
 * Is told of subscriptions of clients coming and going in an account, so that imports can be shadowed. Calls come one at
 * a time for an account, under its write lock, on the thread that changed it: keep them short, and do not wait for
 * anything. Subscriptions that the listener itself adds (shadows, functions) are not reported.
 */
public interface InterestListener {
    void subscribed(Subscription subscription);

    void unsubscribed(Subscription subscription);
}
