package io.penstock.controlplane.broker;

import io.nats.client.Connection;
import io.nats.client.Consumer;
import io.nats.client.ErrorListener;
import org.jboss.logging.Logger;

/** What the client library would print goes to our log. */
final class QuietErrors implements ErrorListener {
    private static final Logger LOG = Logger.getLogger(QuietErrors.class);

    @Override
    public void errorOccurred(Connection connection, String error) {
        LOG.warnf("the broker says: %s", error);
    }

    @Override
    public void exceptionOccurred(Connection connection, Exception exception) {
        LOG.debugf("connection to the broker: %s", exception.toString());
    }

    @Override
    public void slowConsumerDetected(Connection connection, Consumer consumer) {
        LOG.warn("answers of the broker come faster than they are read");
    }
}
