package io.penstock.localstack;

import io.penstock.localstack.service.AccountService;
import io.penstock.localstack.service.BrokerNode;
import io.penstock.localstack.service.ControlPlane;
import io.penstock.localstack.service.Keycloak;
import io.penstock.localstack.service.MailSink;
import io.penstock.localstack.service.Postgres;
import io.penstock.localstack.service.Service;
import java.nio.file.Path;
import java.util.List;

/**
 * The parts of the product on one machine and what they share.
 *
 * @param checkout where the built programs are
 * @param home where data, logs and state are
 */
public record Stack(Path checkout, StackHome home, Ports ports, Secrets secrets) {
    /** Waves of services: those of one wave start together, each wave when the one before is ready. */
    List<List<Service>> waves() {
        return List.of(
                List.of(new Postgres(this), new MailSink(this)),
                List.of(new AccountService(this), new Keycloak(this)),
                List.of(new BrokerNode(this)),
                List.of(new ControlPlane(this)));
    }

    List<Service> services() {
        return waves().stream().flatMap(List::stream).toList();
    }

    public String consoleUrl() {
        return "http://localhost:" + ports.console();
    }

    public String clientUrl() {
        return "nats://localhost:" + ports.client();
    }

    public String websocketUrl() {
        return "ws://localhost:" + ports.websocket();
    }

    public String monitorUrl() {
        return "http://localhost:" + ports.monitor();
    }

    public String mailUrl() {
        return "http://localhost:" + ports.mail();
    }

    public String keycloakUrl() {
        return "http://localhost:" + ports.keycloak();
    }
}
