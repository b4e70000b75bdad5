package io.penstock.broker;

/** A subscriber that is a function of the server: service imports, system services, JetStream. */
@FunctionalInterface
public interface MessageTarget {
    /**
     * Takes a message on the publisher's event loop (or thread); must not block or keep the message.
     *
     * @return how many receivers it reached in the end; 0 lets the publisher learn that there was no responder
     */
    int deliver(RoutedMessage message);
}
