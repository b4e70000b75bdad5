package io.penstock.jetstream;

import static io.penstock.jetstream.TestingMembers.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.jetstream.TestingNode.Message;
import io.penstock.jetstream.runtime.PeerViews;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who hears of leaders of streams, and of streams that can have none. */
class LeaderNewsTest {
    private static final String ADVISORY = "$JS.EVENT.ADVISORY.";
    private static final String TYPE = "io.nats.jetstream.advisory.v1.";

    private final TestingMembers cluster = new TestingMembers(41, 3, 3, "");
    private final TestingRouter stranger = new TestingRouter();
    private final List<Message> heard = listen(cluster.router);
    private final List<Message> system = listen(cluster.system);
    private final List<Message> strangers = listen(stranger);

    private static List<Message> listen(TestingRouter router) {
        List<Message> heard = new ArrayList<>();
        router.client("outside").subscribe(ADVISORY + ">", m -> heard.add(Message.of(m)));
        return heard;
    }

    @BeforeEach
    void form() {
        cluster.awaitGroups(3);
        cluster.members
                .values()
                .forEach(m -> cluster.nodes
                        .loop(m.name)
                        .execute(() -> m.host.enable("B", stranger.client(m.name), TestingNode.UNLIMITED)));
        cluster.create("S", 3, "");
        cluster.api(
                "CONSUMER.CREATE.S.c",
                "{\"stream_name\":\"S\",\"config\":{\"durable_name\":\"c\",\"ack_policy\":\"explicit\"}}");
        cluster.nodes.run(SECOND);
    }

    private static List<Message> about(List<Message> all, String subject) {
        return all.stream().filter(m -> m.subject().equals(ADVISORY + subject)).toList();
    }

    private static List<String> names(JsonNode node) {
        List<String> names = new ArrayList<>();
        node.fieldNames().forEachRemaining(names::add);
        return names;
    }

    private String leader() {
        JsonNode info = cluster.api("STREAM.INFO.S", "");
        return info == null ? "" : info.path("cluster").path("leader").asText();
    }

    @Test
    void aNewLeaderIsToldToTheStreamsAccountAlone() {
        assertThat(about(heard, "STREAM.LEADER_ELECTED.S")).hasSize(1);
        assertThat(about(heard, "CONSUMER.LEADER_ELECTED.S.c")).hasSize(1);
        String before = leader();
        heard.clear();
        system.clear();

        cluster.api("STREAM.LEADER.STEPDOWN.S", "");
        cluster.nodes.runUntil(() -> !leader().isEmpty() && !leader().equals(before), 30 * SECOND);
        String now = leader();

        JsonNode told = TestingNode.json(about(heard, "STREAM.LEADER_ELECTED.S").getLast());
        assertThat(names(told)).containsExactly("type", "id", "timestamp", "stream", "leader", "replicas");
        assertThat(told.get("type").asText()).isEqualTo(TYPE + "stream_leader_elected");
        assertThat(told.get("id").asText()).hasSize(22);
        assertThat(told.get("stream").asText()).isEqualTo("S");
        assertThat(told.get("leader").asText()).isEqualTo(now);
        assertThat(StreamSupport.stream(told.get("replicas").spliterator(), false)
                        .map(r -> r.get("name").asText()))
                .containsExactlyInAnyOrder("n1", "n2", "n3");
        told.get("replicas").forEach(r -> {
            assertThat(names(r)).contains("name", "current", "active", "peer");
            assertThat(r.get("peer").asText())
                    .isEqualTo(PeerViews.shortName(r.get("name").asText()));
        });
        JsonNode consumer =
                TestingNode.json(about(heard, "CONSUMER.LEADER_ELECTED.S.c").getLast());
        assertThat(names(consumer))
                .containsExactly("type", "id", "timestamp", "stream", "consumer", "leader", "replicas");
        assertThat(consumer.get("type").asText()).isEqualTo(TYPE + "consumer_leader_elected");
        assertThat(consumer.get("consumer").asText()).isEqualTo("c");
        assertThat(strangers).isEmpty();
        assertThat(system).noneMatch(m -> m.payload().contains("\"S\""));
    }

    @Test
    void aStreamWithOneReplicaElectsNobody() {
        TestingNode alone = new TestingNode().start();
        TestingNode.Inbox told = alone.inbox(ADVISORY + "STREAM.>");
        alone.createStream("R", "\"subjects\":[\"r\"]");
        assertThat(told.messages).extracting(Message::subject).containsExactly(ADVISORY + "STREAM.CREATED.R");
    }

    @Test
    void aLostQuorumIsToldAfterAWhileAndAgainAsLongAsItLasts() {
        heard.clear();
        cluster.crash("n1", false);
        cluster.crash("n2", false);
        cluster.nodes.run(15 * SECOND);
        assertThat(about(heard, "STREAM.QUORUM_LOST.S")).isEmpty();
        cluster.nodes.run(15 * SECOND);
        assertThat(about(heard, "STREAM.QUORUM_LOST.S")).hasSize(1);
        assertThat(about(heard, "CONSUMER.QUORUM_LOST.S.c")).hasSize(1);
        cluster.nodes.run(20 * SECOND);
        assertThat(about(heard, "STREAM.QUORUM_LOST.S")).hasSize(2);

        JsonNode told = TestingNode.json(about(heard, "STREAM.QUORUM_LOST.S").getFirst());
        assertThat(names(told)).containsExactly("type", "id", "timestamp", "stream", "replicas");
        assertThat(told.get("type").asText()).isEqualTo(TYPE + "stream_quorum_lost");
        told.get("replicas")
                .forEach(r -> assertThat(r.path("offline").asBoolean())
                        .isEqualTo(!r.get("name").asText().equals("n3")));
        JsonNode consumer =
                TestingNode.json(about(heard, "CONSUMER.QUORUM_LOST.S.c").getFirst());
        assertThat(names(consumer)).containsExactly("type", "id", "timestamp", "stream", "consumer", "replicas");
        assertThat(strangers).isEmpty();

        cluster.restart("n1");
        cluster.nodes.runUntil(() -> !leader().isEmpty(), 60 * SECOND);
        heard.clear();
        cluster.nodes.run(60 * SECOND);
        assertThat(about(heard, "STREAM.QUORUM_LOST.S")).isEmpty();
    }

    @Test
    void nodesThatLeaveOneAfterTheOtherAlarmNobody() {
        for (int i = 0; i < 10; i++) {
            String name = "n" + (i % 3 + 1);
            var _ = cluster.members.get(name).cluster.handOver();
            cluster.nodes.run(5 * SECOND);
            cluster.crash(name, false);
            cluster.nodes.run(25 * SECOND);
            cluster.restart(name);
            cluster.nodes.runUntil(() -> !leader().isEmpty(), 60 * SECOND);
            cluster.nodes.run(5 * SECOND);
        }
        assertThat(heard).noneMatch(m -> m.subject().contains("QUORUM_LOST"));
        assertThat(about(heard, "STREAM.LEADER_ELECTED.S")).isNotEmpty();
    }

    @Test
    void theMetadatasLeaderIsToldToTheSystemAccountAlone() {
        String before = cluster.metaLeader().name;
        system.clear();
        heard.clear();
        cluster.system("META.LEADER.STEPDOWN", "");
        cluster.nodes.runUntil(
                () -> cluster.metaLeader() != null && !cluster.metaLeader().name.equals(before), 60 * SECOND);
        JsonNode told = TestingNode.json(about(system, "DOMAIN.LEADER_ELECTED").getLast());
        assertThat(names(told)).containsExactly("type", "id", "timestamp", "leader", "replicas", "cluster");
        assertThat(told.get("type").asText()).isEqualTo(TYPE + "domain_leader_elected");
        assertThat(told.get("leader").asText()).isEqualTo(PeerViews.shortName(cluster.metaLeader().name));
        assertThat(told.get("replicas")).hasSize(3);
        assertThat(told.get("cluster").asText()).isEqualTo("C");
        assertThat(about(heard, "DOMAIN.LEADER_ELECTED")).isEmpty();
        assertThat(strangers).isEmpty();
    }
}
