package io.penstock.broker;

import io.penstock.broker.engine.BrokerEngine;

/** Makes brokers. */
public final class Brokers {
    private Brokers() {}

    /**
     * A broker that does not listen yet: accounts and authenticator can be set up before {@link Broker#start}.
     *
     * @throws IllegalArgumentException when the wanted transport is not there
     */
    public static Broker create(ServerIdentity identity, BrokerOptions options) {
        return BrokerEngine.create(options, identity);
    }
}
