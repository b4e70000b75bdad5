package io.penstock.server.monitor;

import io.penstock.broker.Broker;
import io.penstock.broker.system.AccountReports;
import io.penstock.server.config.ServerOptions;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;

/** What the pages tell about. All methods may be called from any thread. */
public interface Source {
    Broker broker();

    /** As configured now. */
    ServerOptions options();

    InstantSource clock();

    /** When the configuration was read last. */
    Instant configured();

    /** What is known of accounts. */
    AccountReports accounts();

    /** JetStream, or null when it is off. */
    JetStreamSource jetStream();

    /** The bound monitoring port, 0 when there is none. */
    int httpPort();

    int httpsPort();

    /** Questions so far by path. */
    Map<String, Long> requests();

    /** Whether all listeners are open. */
    boolean isReady();
}
