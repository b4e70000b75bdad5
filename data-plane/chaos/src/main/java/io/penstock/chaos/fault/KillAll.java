package io.penstock.chaos.fault;

import io.penstock.chaos.host.ChaosNode;
import java.time.Duration;

/** F2. */
final class KillAll implements Fault.Action {
    @Override
    public int strike(Scene scene) {
        int struck = 0;
        while (!scene.over()) {
            scene.pause(Duration.ofSeconds(3), Duration.ofSeconds(8));
            for (ChaosNode node : scene.cluster().nodes()) {
                node.kill();
            }
            struck++;
            scene.hold(Duration.ofMillis(500), Duration.ofSeconds(3));
            scene.cluster().start();
            scene.cluster().awaitHealthy(Duration.ofMinutes(1));
            scene.pause(Duration.ofSeconds(8), Duration.ofSeconds(12));
        }
        return struck;
    }
}
