package io.penstock.accountservice;

import io.penstock.claims.TestingNatsServer;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Tag;

/** With the reference server. */
@Tag("wire")
@QuarkusTest
@QuarkusTestResource(TestingEnvironment.class)
class ReferenceNodeTest extends NodeChecks {
    @Override
    Optional<Path> executable() {
        return TestingNatsServer.referenceServer();
    }

    @Override
    String absence() {
        return "no nats-server on this machine (PENSTOCK_REFERENCE_SERVER, PATH, ~/go/bin)";
    }
}
