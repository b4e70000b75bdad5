package io.penstock.controlplane.testing;

import io.quarkus.test.junit.QuarkusTestProfile;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Real PostgreSQL; everything else behind our own ports in memory. */
public class QuickProfile implements QuarkusTestProfile {
    /** 32 bytes of zero: good for tests only. */
    static final String SECRET = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";

    @Override
    public Map<String, String> getConfigOverrides() {
        return Map.of(
                "quarkus.http.test-port", "0",
                "quarkus.oidc.tenant-enabled", "false",
                "quarkus.log.level", "WARN",
                "quarkus.log.category.\"io.penstock\".level", "INFO",
                "penstock.session.secret", SECRET,
                "penstock.statement.secret", SECRET,
                "penstock.public-url", "http://penstock.test",
                "penstock.rate-limit.factor", "1000",
                "penstock.person-purge.every", "1s");
    }

    @Override
    public Set<Class<?>> getEnabledAlternatives() {
        return Set.of(
                TestingIdentity.class, TestingUserDirectory.class, TestingAccountService.class, TestingBroker.class);
    }

    @Override
    public List<TestResourceEntry> testResources() {
        return List.of(new TestResourceEntry(PostgresResource.class));
    }
}
