package io.penstock.chaos.fault;

import io.penstock.chaos.host.ChaosNode;
import java.time.Duration;

/** F4. */
final class CutOff implements Fault.Action {
    @Override
    public int strike(Scene scene) {
        int struck = 0;
        while (!scene.over()) {
            ChaosNode node = scene.leaderOrAny();
            scene.cluster().network().cut(node.number());
            if (!scene.cluster().network().isCut(node.number())
                    || !node.get("/healthz").isEmpty()) {
                throw new IllegalStateException(node.name() + " still answers after it was cut off");
            }
            struck++;
            scene.hold(Duration.ofSeconds(5), Duration.ofSeconds(25));
            scene.cluster().network().heal();
            scene.pause(Duration.ofSeconds(3), Duration.ofSeconds(6));
        }
        return struck;
    }
}
