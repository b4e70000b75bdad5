package io.penstock.chaos.fault;

import io.penstock.chaos.host.ChaosNode;
import java.time.Duration;

/** F13; the node's own monitoring page proves that its clock is wrong. */
final class WrongClock implements Fault.Action {
    private static final long HOUR_NANOS = Duration.ofHours(1).toNanos();
    private static final long STROBE_NANOS = Duration.ofSeconds(5).toNanos();

    @Override
    public int strike(Scene scene) {
        int struck = 0;
        while (!scene.over()) {
            long shift = scene.random().nextBoolean() ? HOUR_NANOS : STROBE_NANOS;
            long signed = scene.random().nextBoolean() ? shift : -shift;
            if (scene.random().nextInt(3) == 0) {
                scene.cluster().nodes().forEach(node -> node.clock().shift(signed));
            } else {
                ChaosNode node = scene.leaderOrAny();
                node.clock().shift(signed);
                prove(node, signed);
            }
            struck++;
            scene.pause(Duration.ofSeconds(4), Duration.ofSeconds(10));
            scene.cluster().nodes().forEach(node -> node.clock().shift(0));
            scene.pause(Duration.ofSeconds(1), Duration.ofSeconds(4));
        }
        return struck;
    }

    private static void prove(ChaosNode node, long shift) {
        String page = node.get("/varz");
        int at = page.indexOf("\"now\":");
        if (at < 0) {
            return;
        }
        String now = page.substring(page.indexOf('"', at + 6) + 1);
        java.time.Instant told = java.time.Instant.parse(now.substring(0, now.indexOf('"')));
        long off = Duration.between(java.time.Instant.now(), told).toNanos();
        if (Math.abs(off - shift) > Duration.ofSeconds(2).toNanos()) {
            throw new IllegalStateException(
                    node.name() + " tells " + told + " though its clock was shifted by " + Duration.ofNanos(shift));
        }
    }
}
