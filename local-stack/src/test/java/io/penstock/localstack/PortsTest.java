package io.penstock.localstack;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

class PortsTest {
    @Test
    void defaultPortsAreAllDifferent() {
        assertThat(Ports.defaults(3).byUse().values()).doesNotHaveDuplicates().hasSize(22);
    }

    @Test
    void randomPortsAreDifferentAndFree() {
        assertThat(Ports.random(3).byUse().values()).doesNotHaveDuplicates().allMatch(Ports::isFree);
    }

    @Test
    void aPortSomebodyListensOnIsNotFree() throws IOException {
        try (ServerSocket held = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(Ports.isFree(held.getLocalPort())).isFalse();
        }
    }
}
