package io.penstock.broker.route;

import io.penstock.protocol.ParseFailure;

/** Takes what {@link RouteParser} reads. Offsets are into {@code bytes} and good during the call only. */
public interface RouteSink {
    void onConnect(byte[] bytes, int offset, int length);

    void onInfo(byte[] bytes, int offset, int length);

    void onPing();

    void onPong();

    /** The other side refuses, with a reason. */
    void onError(byte[] bytes, int offset, int length);

    /**
     * The other side wants messages, or no longer.
     *
     * @param weight members of the queue group, 1 without one, 0 when they are no longer wanted
     * @param account null on a route that carries one account only
     * @param queue null for none
     */
    void onInterest(String account, String pattern, String queue, int weight);

    /** A message; its parts are asked of the parser. */
    void onMessage(RouteParser message, byte[] bytes);

    /** Nothing more is read. */
    void onFailure(ParseFailure failure);
}
