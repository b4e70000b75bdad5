package io.penstock.chaos.fault;

import io.nats.client.Message;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** F14; what the API answers proves each change. */
final class Membership implements Fault.Action {
    private static final Duration ANSWER = Duration.ofSeconds(3);

    @Override
    public int strike(Scene scene) throws InterruptedException {
        int struck = 0;
        for (int round = 0; !scene.over(); round++) {
            String request = switch (round % 4) {
                case 0, 2 -> "STREAM.LEADER.STEPDOWN." + scene.stream();
                case 1 -> "STREAM.PEER.REMOVE." + scene.stream();
                default -> "CONSUMER.LIST." + scene.stream();
            };
            String body = round % 4 == 1 ? "{\"peer\":\"" + scene.anyNode().name() + "\"}" : "";
            Message answer =
                    scene.client().request("$JS.API." + request, body.getBytes(StandardCharsets.UTF_8), ANSWER);
            if (answer != null
                    && answer.getData() != null
                    && new String(answer.getData(), StandardCharsets.UTF_8).contains("\"success\":true")) {
                struck++;
            }
            scene.pause(Duration.ofSeconds(2), Duration.ofSeconds(3));
        }
        if (struck == 0) {
            throw new IllegalStateException("no change of membership was accepted");
        }
        return struck;
    }
}
