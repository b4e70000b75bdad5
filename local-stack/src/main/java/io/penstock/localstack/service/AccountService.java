package io.penstock.localstack.service;

import io.penstock.localstack.Stack;
import io.penstock.localstack.StackHome;
import io.penstock.localstack.process.Probe;
import io.penstock.localstack.process.ProcessSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** The only holder of signing keys. */
public final class AccountService implements Service {
    private final Stack stack;

    public AccountService(Stack stack) {
        this.stack = stack;
    }

    @Override
    public String name() {
        return "account-service";
    }

    /** Where the account-service leaves what nodes must trust: operator and system account, public parts only. */
    static Path publicFiles(Stack stack) {
        return StackHome.create(stack.home().data("account-service").resolve("public"));
    }

    @Override
    public void prepare() {
        StackHome.create(stack.home().data(name()).resolve("keys"));
    }

    @Override
    public ProcessSpec process() {
        Path folder = stack.home().data(name());
        Map<String, String> variables = new HashMap<>();
        variables.put("QUARKUS_HTTP_HOST", "127.0.0.1");
        variables.put("QUARKUS_HTTP_PORT", Integer.toString(stack.ports().accountService()));
        variables.put(
                "QUARKUS_DATASOURCE_JDBC_URL",
                "jdbc:postgresql://127.0.0.1:" + stack.ports().postgres() + "/account_service");
        variables.put("QUARKUS_DATASOURCE_USERNAME", "account_service");
        variables.put("QUARKUS_DATASOURCE_PASSWORD", stack.secrets().accountDatabase());
        variables.put("PENSTOCK_STATEMENT_SECRET", stack.secrets().statement());
        variables.put("PENSTOCK_KEYSTORE_DIR", folder.resolve("keys").toString());
        variables.put("PENSTOCK_KEYSTORE_KEK_FILE", folder.resolve("kek").toString());
        variables.put("PENSTOCK_BOOTSTRAP_DIR", publicFiles(stack).toString());
        variables.put("PENSTOCK_BROKER_URLS", stack.brokerUrls());
        return QuarkusApplication.start(
                stack.checkout().resolve("account-service/service/target/quarkus-app"), folder, variables);
    }

    @Override
    public boolean ready() {
        return Files.exists(publicFiles(stack).resolve("operator.conf"))
                && Probe.answers("http://127.0.0.1:" + stack.ports().accountService() + "/q/health/ready");
    }
}
