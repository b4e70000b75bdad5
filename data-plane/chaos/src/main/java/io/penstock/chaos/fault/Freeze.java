package io.penstock.chaos.fault;

import io.penstock.chaos.host.ChaosCluster;
import io.penstock.chaos.host.ChaosNode;
import java.time.Duration;

/** F3. */
final class Freeze implements Fault.Action {
    @Override
    public int strike(Scene scene) {
        int struck = 0;
        while (!scene.over()) {
            ChaosNode node = scene.leaderOrAny();
            node.freeze();
            if (ChaosCluster.await(Duration.ofSeconds(2), node::frozen) == null) {
                throw new IllegalStateException(node.name() + " goes on after SIGSTOP");
            }
            struck++;
            scene.hold(Duration.ofMillis(200), Duration.ofSeconds(15));
            node.thaw();
            scene.pause(Duration.ofSeconds(2), Duration.ofSeconds(5));
        }
        return struck;
    }
}
