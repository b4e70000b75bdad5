package io.penstock.broker.system;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.InstantSource;

/** The event that tells how many connections an account has here. */
final class AccountConnections {
    static final String TYPE = "io.nats.server.advisory.v1.account_connections";

    private final ServerInfo server;
    private final InstantSource clock;

    AccountConnections(ServerInfo server, InstantSource clock) {
        this.server = server;
        this.clock = clock;
    }

    ObjectNode event(ObjectNode figures) {
        ObjectNode event = Events.header(TYPE, clock.instant());
        event.set("server", server.next());
        event.setAll(figures);
        return event;
    }
}
