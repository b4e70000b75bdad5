package io.penstock.accountservice;

import io.penstock.accountservice.sync.Reconciler;
import io.penstock.accountservice.sync.SystemConnection;
import jakarta.enterprise.context.ApplicationScoped;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/** Tells whether the nodes are reached. Never down for it: without them the service still keeps and issues. */
@Readiness
@ApplicationScoped
class BrokerHealth implements HealthCheck {
    private final SystemConnection connection;
    private final Reconciler reconciler;

    BrokerHealth(SystemConnection connection, Reconciler reconciler) {
        this.connection = connection;
        this.reconciler = reconciler;
    }

    @Override
    public HealthCheckResponse call() {
        return HealthCheckResponse.named("broker")
                .up()
                .withData("connected", connection.isConnected())
                .withData("nodes", connection.nodes())
                .withData("repairs", reconciler.repairs())
                .build();
    }
}
