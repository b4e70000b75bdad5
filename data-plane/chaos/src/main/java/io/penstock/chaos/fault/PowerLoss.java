package io.penstock.chaos.fault;

import io.penstock.chaos.host.ChaosNode;
import java.time.Duration;
import java.util.List;

/** F8 and F9; the disk's canary proves each loss. */
final class PowerLoss implements Fault.Action {
    private final boolean everywhere;

    PowerLoss(boolean everywhere) {
        this.everywhere = everywhere;
    }

    @Override
    public int strike(Scene scene) {
        int struck = 0;
        while (!scene.over()) {
            scene.pause(Duration.ofSeconds(2), Duration.ofSeconds(6));
            ChaosNode victim = scene.leaderOrAny();
            List<ChaosNode> others = scene.cluster().nodes().stream()
                    .filter(node -> node != victim)
                    .toList();
            others.forEach(ChaosNode::freeze);
            victim.losePower();
            if (everywhere) {
                others.forEach(ChaosNode::losePower);
            } else {
                scene.hold(Duration.ofMillis(100), Duration.ofSeconds(2));
                others.forEach(ChaosNode::thaw);
                scene.hold(Duration.ofMillis(500), Duration.ofSeconds(5));
            }
            victim.regainPower();
            if (everywhere) {
                others.forEach(ChaosNode::regainPower);
            }
            struck++;
            scene.cluster().start();
            scene.cluster().awaitHealthy(Duration.ofMinutes(1));
            scene.pause(Duration.ofSeconds(2), Duration.ofSeconds(6));
        }
        return struck;
    }
}
