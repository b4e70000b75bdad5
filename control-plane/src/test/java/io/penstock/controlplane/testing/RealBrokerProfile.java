package io.penstock.controlplane.testing;

import java.util.List;
import java.util.Set;

/** Real PostgreSQL, account-service and node; only people are in memory. */
public class RealBrokerProfile extends QuickProfile {
    @Override
    public Set<Class<?>> getEnabledAlternatives() {
        return Set.of(TestingIdentity.class, TestingUserDirectory.class);
    }

    @Override
    public List<TestResourceEntry> testResources() {
        return List.of(new TestResourceEntry(PostgresResource.class), new TestResourceEntry(RealBrokerResource.class));
    }
}
