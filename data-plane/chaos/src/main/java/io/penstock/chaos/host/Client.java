package io.penstock.chaos.host;

import io.nats.client.Connection;

/** A connection to the cluster that ends with its block. */
public record Client(Connection nats) implements AutoCloseable {
    @Override
    public void close() {
        try {
            nats.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
