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
import java.util.stream.Collectors;
import java.util.stream.IntStream;

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
                nodes(),
                List.of(new ControlPlane(this)));
    }

    /** One broker node a zone. */
    private List<Service> nodes() {
        return IntStream.range(0, ports.nodes().size())
                .<Service>mapToObj(index -> new BrokerNode(this, index))
                .toList();
    }

    /** The service of this name. */
    Service service(String name) {
        return services().stream()
                .filter(service -> service.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new StackException("there is no service \"" + name + "\"; there are "
                        + String.join(
                                ", ", services().stream().map(Service::name).toList())));
    }

    List<Service> services() {
        return waves().stream().flatMap(List::stream).toList();
    }

    public String consoleUrl() {
        return "http://localhost:" + ports.console();
    }

    public String clientUrl() {
        return "nats://localhost:" + ports.nodes().getFirst().client();
    }

    /** Every node, for the services: any of them will do. */
    public String brokerUrls() {
        return ports.nodes().stream()
                .map(node -> "nats://127.0.0.1:" + node.client())
                .collect(Collectors.joining(","));
    }

    public String websocketUrl() {
        return "ws://localhost:" + ports.nodes().getFirst().websocket();
    }

    public String monitorUrl() {
        return "http://localhost:" + ports.nodes().getFirst().monitor();
    }

    public String mailUrl() {
        return "http://localhost:" + ports.mail();
    }

    public String keycloakUrl() {
        return "http://localhost:" + ports.keycloak();
    }
}
