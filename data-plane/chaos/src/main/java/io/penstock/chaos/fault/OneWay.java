package io.penstock.chaos.fault;

import io.penstock.chaos.host.Network;
import java.time.Duration;

/** F5. */
final class OneWay implements Fault.Action {
    @Override
    public int strike(Scene scene) {
        Network network = scene.cluster().network();
        int size = scene.cluster().nodes().size();
        int struck = 0;
        while (!scene.over()) {
            int from = scene.leaderOrAny().number();
            int to = from % size + 1;
            long before = network.dropped();
            network.drop(from, to);
            if (scene.random().nextBoolean()) {
                network.drop(to, from);
            }
            scene.hold(Duration.ofSeconds(5), Duration.ofSeconds(20));
            network.heal();
            if (network.dropped() == before) {
                throw new IllegalStateException("nothing was dropped between n" + from + " and n" + to);
            }
            struck++;
            scene.pause(Duration.ofSeconds(3), Duration.ofSeconds(6));
        }
        return struck;
    }
}
