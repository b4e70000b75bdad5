package io.penstock.chaos.fault;

import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.JetStreamOptions;
import io.nats.client.Message;
import io.nats.client.api.StreamConfiguration;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** F14; what the API answers proves each change. */
final class Membership implements Fault.Action {
    private static final Duration ANSWER = Duration.ofSeconds(3);
    private static final int ROUNDS = 4;

    @Override
    public int strike(Scene scene) throws IOException, InterruptedException {
        int replicas = scene.cluster().nodes().size();
        int struck = 0;
        for (int round = 0; !scene.over(); round++) {
            boolean accepted = switch (round % ROUNDS) {
                case 0, 2 -> request(scene, "STREAM.LEADER.STEPDOWN." + scene.stream(), "");
                case 1 ->
                    request(
                            scene,
                            "STREAM.PEER.REMOVE." + scene.stream(),
                            "{\"peer\":\"" + scene.anyNode().name() + "\"}");
                default -> scale(scene, 1);
            };
            struck += accepted ? 1 : 0;
            scene.pause(Duration.ofSeconds(2), Duration.ofSeconds(3));
            if (round % ROUNDS == ROUNDS - 1) {
                scaleBack(scene, replicas);
            }
        }
        if (struck == 0) {
            throw new IllegalStateException("no change of membership was accepted");
        }
        return struck;
    }

    private static boolean request(Scene scene, String subject, String body) throws InterruptedException {
        Message answer = scene.client().request("$JS.API." + subject, body.getBytes(StandardCharsets.UTF_8), ANSWER);
        return answer != null
                && answer.getData() != null
                && new String(answer.getData(), StandardCharsets.UTF_8).contains("\"success\":true");
    }

    /** A stream left with one copy would be another test: it gets its copies back, however often that must be asked. */
    private static void scaleBack(Scene scene, int replicas) throws IOException {
        for (int attempt = 0; attempt < 20; attempt++) {
            if (scale(scene, replicas)) {
                return;
            }
            scene.hold(Duration.ofMillis(500), Duration.ofMillis(600));
        }
        throw new IllegalStateException(scene.stream() + " does not get its " + replicas + " replicas back");
    }

    private static boolean scale(Scene scene, int replicas) throws IOException {
        JetStreamManagement management = scene.client()
                .jetStreamManagement(
                        JetStreamOptions.builder().requestTimeout(ANSWER).build());
        try {
            StreamConfiguration now = management.getStreamInfo(scene.stream()).getConfiguration();
            StreamConfiguration scaled =
                    StreamConfiguration.builder(now).replicas(replicas).build();
            return management.updateStream(scaled).getConfiguration().getReplicas() == replicas;
        } catch (IOException | JetStreamApiException e) {
            return false;
        }
    }
}
