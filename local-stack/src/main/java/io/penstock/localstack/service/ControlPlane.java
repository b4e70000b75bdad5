package io.penstock.localstack.service;

import io.penstock.localstack.Stack;
import io.penstock.localstack.process.Probe;
import io.penstock.localstack.process.ProcessSpec;
import java.util.HashMap;
import java.util.Map;

/** REST API and console. */
public final class ControlPlane implements Service {
    private final Stack stack;

    public ControlPlane(Stack stack) {
        this.stack = stack;
    }

    @Override
    public String name() {
        return "control-plane";
    }

    @Override
    public void prepare() {
        // Its tables come from its own migrations at start.
    }

    @Override
    public ProcessSpec process() {
        Map<String, String> variables = new HashMap<>();
        variables.put("QUARKUS_HTTP_HOST", "127.0.0.1");
        variables.put("QUARKUS_HTTP_PORT", Integer.toString(stack.ports().console()));
        database(variables);
        identity(variables);
        variables.put("QUARKUS_MAILER_HOST", "127.0.0.1");
        variables.put("QUARKUS_MAILER_PORT", Integer.toString(stack.ports().smtp()));
        variables.put(
                "PENSTOCK_ACCOUNT_SERVICE_URL",
                "http://127.0.0.1:" + stack.ports().accountService());
        variables.put("PENSTOCK_STATEMENT_SECRET", stack.secrets().statement());
        variables.put("PENSTOCK_PUBLIC_URL", stack.consoleUrl());
        variables.put("PENSTOCK_IDENTITY_URL", stack.keycloakUrl());
        variables.put(
                "PENSTOCK_CONSOLE_DIRECTORY",
                stack.checkout().resolve("web-console/dist").toString());
        variables.put("PENSTOCK_CLIENT_URLS", stack.clientUrl());
        variables.put("PENSTOCK_WEBSOCKET_URLS", stack.websocketUrl());
        variables.put("PENSTOCK_BROKER_URLS", stack.brokerUrls());
        variables.put(
                "PENSTOCK_STREAMS_PRODUCTION_REPLICAS",
                Integer.toString(stack.ports().nodes().size()));
        return QuarkusApplication.start(
                stack.checkout().resolve("control-plane/target/quarkus-app"),
                stack.home().data(name()),
                variables);
    }

    private void database(Map<String, String> variables) {
        String url = "jdbc:postgresql://127.0.0.1:" + stack.ports().postgres() + "/control_plane";
        variables.put("QUARKUS_DATASOURCE_JDBC_URL", url);
        variables.put("QUARKUS_DATASOURCE_USERNAME", "control_plane_app");
        variables.put("QUARKUS_DATASOURCE_PASSWORD", stack.secrets().controlAppDatabase());
        variables.put("QUARKUS_FLYWAY_JDBC_URL", url);
        variables.put("QUARKUS_FLYWAY_USERNAME", "control_plane_owner");
        variables.put("QUARKUS_FLYWAY_PASSWORD", stack.secrets().controlOwnerDatabase());
    }

    private void identity(Map<String, String> variables) {
        variables.put("QUARKUS_OIDC_AUTH_SERVER_URL", stack.keycloakUrl() + "/realms/penstock");
        variables.put("QUARKUS_OIDC_CREDENTIALS_SECRET", stack.secrets().consoleClient());
        variables.put("QUARKUS_KEYCLOAK_ADMIN_CLIENT_SERVER_URL", stack.keycloakUrl());
        variables.put(
                "QUARKUS_KEYCLOAK_ADMIN_CLIENT_CLIENT_SECRET", stack.secrets().adminClient());
        variables.put("PENSTOCK_SESSION_SECRET", stack.secrets().session());
    }

    @Override
    public boolean ready() {
        return Probe.answers("http://127.0.0.1:" + stack.ports().console() + "/q/health/ready");
    }
}
