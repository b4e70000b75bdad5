package io.penstock.jetstream;

import static io.penstock.jetstream.TestingMembers.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.broker.internal.JetStreamLimits;
import io.penstock.jetstream.TestingMembers.Member;
import io.penstock.jetstream.TestingNode.Message;
import io.penstock.jetstream.runtime.AccountRuntime;
import io.penstock.jetstream.runtime.Resources;
import io.penstock.protocol.jetstream.JsException;
import io.penstock.protocol.jetstream.StreamConfig;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What an account may have in a cluster: of all replicas, or of a tier; for publishes, and for what is restored. */
class AccountLimitsTest {
    private final TestingMembers cluster = new TestingMembers(3, 3, 3, "");
    private int ids;

    @BeforeEach
    void form() {
        cluster.awaitGroups(3);
    }

    private static JetStreamLimits storage(long bytes, Map<String, JetStreamLimits> tiers) {
        return new JetStreamLimits(-1, bytes, -1, -1, -1, -1, -1, false, tiers);
    }

    private void limit(JetStreamLimits limits) {
        cluster.members.values().forEach(m -> m.host.enable("A", cluster.router.client(m.name), limits));
    }

    private void create(String name, int replicas) {
        JsonNode made = cluster.create(name, replicas, "");
        assertThat(made.path("error").isMissingNode()).as(String.valueOf(made)).isTrue();
    }

    /** The error of a publish, 0 when it was stored. */
    private int publish(String subject) {
        String id = "id" + ids++;
        for (int i = 0; i < 20; i++) {
            JsonNode ack = cluster.publish(subject, "x".repeat(60), id);
            if (ack != null) {
                return ack.at("/error/err_code").asInt();
            }
        }
        throw new AssertionError("never answered");
    }

    private int fill(String subject) {
        int stored = 0;
        for (int error = publish(subject); error != 10002; error = publish(subject)) {
            assertThat(error).isZero();
            assertThat(++stored).isLessThan(1000);
        }
        return stored;
    }

    @Test
    void withoutTiersEachReplicaCounts() {
        limit(storage(9_000, Map.of()));
        create("R3", 3);
        create("R2", 2);
        int stored = fill("R3.a");
        long bytes = cluster.api("STREAM.INFO.R3", "").at("/state/bytes").asLong();
        assertThat(bytes * 3).isBetween(8_000L, 9_000L);
        // The other nodes hear of it.
        cluster.nodes.run(5 * SECOND);
        assertThat(cluster.api("INFO", "").at("/storage").asLong()).isEqualTo(bytes * 3);
        assertThat(fill("R2.a")).isLessThan(stored / 2);
    }

    @Test
    void aTierCountsItsOwnStreamsOnce() {
        limit(storage(-1, Map.of("R2", storage(3_000, Map.of()), "R3", storage(3_000, Map.of()))));
        create("R3", 3);
        create("R2", 2);
        int stored = fill("R3.a");
        cluster.nodes.run(5 * SECOND);
        assertThat(fill("R2.a")).isEqualTo(stored);
    }

    private void refuses(StreamConfig config, long bytes, boolean refused) {
        Member leader = cluster.metaLeader();
        AccountRuntime account = leader.host.account("A");
        if (refused) {
            assertThatThrownBy(() -> Resources.checkRestore(account, config, bytes))
                    .isInstanceOfSatisfying(
                            JsException.class,
                            e -> assertThat(e.error().errCode()).isEqualTo(10047));
        } else {
            Resources.checkRestore(account, config, bytes);
        }
    }

    @Test
    void whatIsRestoredCountsAsWhatIsPublished() {
        StreamConfig one = StreamConfig.builder().name("S").numReplicas(1).build();
        StreamConfig three = one.toBuilder().numReplicas(3).build();
        limit(storage(9_000, Map.of()));
        refuses(one, 9_000, false);
        refuses(one, 9_001, true);
        refuses(three, 3_000, false);
        refuses(three, 3_001, true);
        limit(storage(-1, Map.of("R1", storage(3_000, Map.of()), "R3", storage(5_000, Map.of()))));
        refuses(one, 3_001, true);
        refuses(three, 5_000, false);
        refuses(three, 5_001, true);
        create("R3", 3);
        publish("R3.a");
        cluster.nodes.run(5 * SECOND);
        refuses(one, 3_000, false);
        refuses(three, 5_000, true);
    }

    private int restore(String name, int replicas, String more) {
        Message answer = cluster.request(
                cluster.router,
                5 * SECOND,
                "$JS.API.STREAM.RESTORE." + name,
                "{\"config\":{\"name\":\"" + name + "\",\"subjects\":[\"" + name + ".>\"],\"num_replicas\":" + replicas
                        + more + "},\"state\":{}}");
        JsonNode json = TestingNode.json(answer);
        assertThat(json.at("/type").asText()).endsWith("stream_restore_response");
        assertThat(json.at("/deliver_subject").asText("none")).isEmpty();
        return json.at("/error/err_code").asInt();
    }

    @Test
    void aRestoreIsRefusedAtItsBeginningWhereThatIsKnown() {
        create("S", 3);
        assertThat(restore("S", 3, "")).isEqualTo(10130);
        assertThat(restore("T", 5, "")).isEqualTo(10005);
        assertThat(restore("T", 3, ",\"placement\":{\"tags\":[\"none\"]}")).isEqualTo(10005);
        limit(storage(9_000, Map.of()));
        assertThat(restore("T", 1, ",\"max_bytes\":9001")).isEqualTo(10047);
        assertThat(restore("T", 3, ",\"max_bytes\":3001")).isEqualTo(10047);
        limit(storage(-1, Map.of("R1", storage(-1, Map.of()))));
        assertThat(restore("T", 3, "")).isEqualTo(10120);
        limit(new JetStreamLimits(-1, -1, 1, -1, -1, -1, -1, false, Map.of()));
        assertThat(restore("T", 1, "")).isEqualTo(10027);
        assertThat(cluster.api("STREAM.NAMES", "{}").at("/total").asInt()).isEqualTo(1);
    }

    @Test
    void nothingIsRestoredWhileTheMetadataHasNoLeader() {
        String leader = cluster.metaLeader().name;
        // Past the time in which a new node keeps silent.
        cluster.nodes.run(30 * SECOND);
        cluster.members.keySet().stream()
                .filter(name -> !name.equals(leader))
                .toList()
                .forEach(name -> cluster.crash(name, false));
        cluster.nodes.run(30 * SECOND);
        assertThat(restore("T", 1, "")).isEqualTo(10008);
    }
}
