package io.penstock.jetstream;

import static io.penstock.jetstream.TestingMembers.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A node that lost its disk counts again once it has everything; in virtual time. */
class WipedNodeTest {
    static LongStream seeds() {
        return LongStream.range(400, 403);
    }

    private static boolean whole(TestingMembers cluster) {
        JsonNode info = cluster.api("STREAM.INFO.S", "");
        return info != null
                && info.at("/cluster/replicas").size() == 2
                && info.at("/cluster/replicas")
                        .valueStream()
                        .allMatch(r -> r.path("current").asBoolean()
                                && !r.path("offline").asBoolean());
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void votesAgainForWhoeverIsLeft(long seed) {
        TestingMembers cluster = new TestingMembers(seed, 3, 3, "az:");
        cluster.awaitGroups(3);
        cluster.create("S", 3, "");
        assertThat(cluster.publish("S.1", "one", "1").path("seq").asLong()).isOne();
        cluster.crash("n2", true);
        cluster.wipe("n2");
        cluster.nodes.run(5 * SECOND);
        cluster.restart("n2");
        cluster.nodes.runUntil(() -> whole(cluster), 120 * SECOND);
        cluster.nodes.run(10 * SECOND);
        cluster.crash("n1", false);
        // Two are left: each needs the other's vote.
        cluster.nodes.runUntil(() -> cluster.publish("S.1", "two", "2") != null, 60 * SECOND);
        assertThat(cluster.publish("S.1", "two", "2").path("seq").asLong())
                .as("seed %d", seed)
                .isEqualTo(2);
    }

    /**
     * The others let a node go and would have it again while it does not even know of the group, because the metadata
     * comes to it late. Taken up then, it would wait for ever: what it hears first is no news to it.
     */
    @Test
    void isTakenUpOnlyOnceItKnowsOfTheGroup() {
        TestingMembers cluster = new TestingMembers(409, 3, 3, "az:");
        cluster.awaitGroups(3);
        cluster.create("S", 3, "");
        assertThat(cluster.publish("S.1", "one", "1").path("seq").asLong()).isOne();
        cluster.crash("n2", true);
        cluster.wipe("n2");
        cluster.nodes.run(5 * SECOND);
        cluster.nodes.deafen("n2", "_meta_");
        cluster.restart("n2");
        cluster.nodes.run(20 * SECOND);
        assertThat(whole(cluster)).isFalse();
        cluster.nodes.heal();
        cluster.nodes.runUntil(() -> whole(cluster), 120 * SECOND);
        cluster.nodes.run(10 * SECOND);
        cluster.crash(cluster.api("STREAM.INFO.S", "").at("/cluster/leader").asText(), false);
        // Two are left: each needs the other's vote.
        cluster.nodes.runUntil(() -> cluster.publish("S.1", "two", "2") != null, 60 * SECOND);
        assertThat(cluster.publish("S.1", "two", "2").path("seq").asLong()).isEqualTo(2);
    }
}
