package io.penstock.broker;

import io.penstock.broker.internal.InboundMessage;

/** A message while it is being routed. Valid only during the call that hands it over. */
public interface RoutedMessage extends InboundMessage {
    /** The account in whose graph it is being routed. */
    Account account();

    /** The publishing connection, or null when the server itself published it. */
    Connection connection();

    /** Copy of the header block, empty when there is none. */
    byte[] headers();

    /** Copy of the payload. */
    byte[] payload();

    /**
     * Routes the same message, uncopied, in another account (or this one) under another subject: the core of a service
     * import. The publisher's identity goes with it; its permissions are not asked again. Chains deeper than 16 are
     * dropped.
     *
     * @param reply null for none
     * @return receivers reached
     */
    int forward(Account to, String subject, String reply);

    /**
     * The same with another header block.
     *
     * @param headers complete block, or an empty array to send none
     */
    int forward(Account to, String subject, String reply, byte[] headers);

    /**
     * The subject it is routed by. {@link #subject} says another one when the server delivers on an inbox what shows the
     * subject it was published under.
     */
    default String route() {
        return subject();
    }

    /** As {@link #forward(Account, String, String)}, but receivers are shown what this message shows. */
    default int relay(Account to, String route, String reply) {
        return forward(to, route, reply);
    }
}
