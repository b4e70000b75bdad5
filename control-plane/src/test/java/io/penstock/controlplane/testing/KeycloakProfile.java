package io.penstock.controlplane.testing;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Real PostgreSQL and real Keycloak; account-service and broker in memory. */
public class KeycloakProfile extends QuickProfile {
    @Override
    public Map<String, String> getConfigOverrides() {
        Map<String, String> config = new HashMap<>(super.getConfigOverrides());
        config.put("quarkus.oidc.tenant-enabled", "true");
        // A machine that builds beside it makes the identity provider slow, and that is not what is tested.
        config.put("io.penstock.controlplane.identity.KeycloakDirectory/Timeout/value", "60000");
        config.remove("quarkus.http.test-port");
        config.remove("penstock.public-url");
        return config;
    }

    @Override
    public Set<Class<?>> getEnabledAlternatives() {
        return Set.of(TestingAccountService.class, TestingBroker.class);
    }

    @Override
    public List<TestResourceEntry> testResources() {
        return List.of(new TestResourceEntry(PostgresResource.class), new TestResourceEntry(KeycloakResource.class));
    }
}
