package io.penstock.accountservice;

import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Tag;

/** With the node this repository builds. */
@Tag("wire")
@QuarkusTest
@QuarkusTestResource(TestingEnvironment.class)
class OwnNodeTest extends NodeChecks {
    private static final Path BUILT = Path.of("..", "..", "data-plane", "server", "target", "dist", "nats-server");

    @Override
    Optional<Path> executable() {
        return Optional.of(BUILT.toAbsolutePath().normalize()).filter(Files::isExecutable);
    }

    @Override
    String absence() {
        return "the node is not built: " + BUILT.toAbsolutePath().normalize();
    }
}
