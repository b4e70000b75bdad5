package io.penstock.chaos.fault;

import io.penstock.chaos.host.ChaosNode;
import java.time.Duration;

/** F1. */
final class KillOne implements Fault.Action {
    @Override
    public int strike(Scene scene) {
        int struck = 0;
        while (!scene.over()) {
            ChaosNode node = scene.leaderOrAny();
            node.kill();
            if (node.running()) {
                throw new IllegalStateException(node.name() + " survived SIGKILL");
            }
            struck++;
            scene.hold(Duration.ofSeconds(1), Duration.ofSeconds(10));
            node.start();
            scene.cluster().awaitHealthy(Duration.ofSeconds(30));
            scene.pause(Duration.ofSeconds(1), Duration.ofSeconds(4));
        }
        return struck;
    }
}
