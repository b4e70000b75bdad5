package io.penstock.localstack;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PreflightTest {
    @TempDir
    Path folder;

    @Test
    void namesEveryProblemBeforeAnythingStarts() throws IOException {
        try (ServerSocket held = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Ports free = Ports.random(3);
            Ports ports = new Ports(
                    held.getLocalPort(),
                    free.mail(),
                    free.smtp(),
                    free.postgres(),
                    free.keycloak(),
                    free.keycloakHealth(),
                    free.accountService(),
                    free.nodes());
            StackHome home = StackHome.at(folder.resolve("home"));

            assertThatThrownBy(() -> Preflight.check(folder, home, new StackState(ports, Map.of())))
                    .isInstanceOf(StackException.class)
                    .hasMessageContaining("nothing was started")
                    .hasMessageContaining("port " + held.getLocalPort() + " for console is in use")
                    .hasMessageContaining("nats-server is not built: run ./penstock build");
        }
    }
}
