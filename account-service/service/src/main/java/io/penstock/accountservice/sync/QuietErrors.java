package io.penstock.accountservice.sync;

import io.nats.client.Connection;
import io.nats.client.ErrorListener;
import org.jboss.logging.Logger;

/** The client's own listener prints to its logger at every reconnect attempt; ours says what matters once. */
final class QuietErrors implements ErrorListener {
    private static final Logger LOG = Logger.getLogger(QuietErrors.class);

    @Override
    public void errorOccurred(Connection connection, String error) {
        LOG.warnf("node: %s", error);
    }

    @Override
    public void exceptionOccurred(Connection connection, Exception exception) {
        LOG.debugf("system connection: %s", exception);
    }
}
