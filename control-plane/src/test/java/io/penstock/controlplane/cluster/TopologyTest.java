package io.penstock.controlplane.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.penstock.controlplane.broker.Broker.Node;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TopologyTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static final List<Node> THREE = List.of(node("n1", "a"), node("n2", "b"), node("n3", "c"));

    private static Node node(String name, String zone) {
        return new Node(name, "2.15.0", Optional.of("eu"), List.of("disk:nvme", "az:" + zone));
    }

    private static JsonNode stream(String name, int replicas, String cluster) {
        try {
            return JSON.readTree("{\"config\":{\"name\":\"%s\",\"num_replicas\":%d}%s}"
                    .formatted(name, replicas, cluster == null ? "" : ",\"cluster\":" + cluster));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private static String led(String group, String leader, String... peers) {
        return "{\"name\":\"eu\",\"raft_group\":\"%s\",\"leader\":\"%s\",\"replicas\":[%s]}"
                .formatted(group, leader, String.join(",", peers));
    }

    private static String peer(String name, boolean current, boolean offline) {
        return "{\"name\":\"%s\",\"current\":%b,\"offline\":%b,\"lag\":7}".formatted(name, current, offline);
    }

    @Test
    void showsOnlyNodesThatCarryAStreamOfTheAccount() {
        Topology.View view = Topology.of(List.of(stream("ORDERS", 1, led("S-R1F-x", "n2"))), THREE);
        assertThat(view.nodes()).extracting(Topology.NodeView::name).containsExactly("n2");
        assertThat(view.nodes().getFirst().zone()).isEqualTo("b");
    }

    @Test
    void showsNothingToAnAccountWithoutStreams() {
        Topology.View view = Topology.of(List.of(), THREE);
        assertThat(view.nodes()).isEmpty();
        assertThat(view.groups()).isEmpty();
    }

    @Test
    void countsLeadersAndReplicasAndKeepsTheWorstStateOfANode() {
        String steady = led("g1", "n1", peer("n2", true, false), peer("n3", true, false));
        String trailing = led("g2", "n2", peer("n1", true, false), peer("n3", false, false));
        Topology.View view = Topology.of(List.of(stream("A", 3, steady), stream("B", 3, trailing)), THREE);
        assertThat(view.nodes()).extracting(Topology.NodeView::state).containsExactly("serving", "serving", "lagging");
        assertThat(view.nodes()).extracting(Topology.NodeView::leaders).containsExactly(1L, 1L, 0L);
        assertThat(view.nodes()).extracting(Topology.NodeView::replicas).containsExactly(2L, 2L, 2L);
        assertThat(view.name()).isEqualTo("eu");
    }

    @Test
    void keepsANodeThatIsGoneWithWhatIsStillKnownOfIt() {
        String lame = led("g1", "n1", peer("n2", true, false), peer("n3", false, true));
        Topology.View view = Topology.of(List.of(stream("A", 3, lame)), THREE.subList(0, 2));
        Topology.NodeView gone = view.nodes().getLast();
        assertThat(gone.name()).isEqualTo("n3");
        assertThat(gone.state()).isEqualTo("gone");
        assertThat(gone.zone()).isNull();
        assertThat(gone.version()).isNull();
    }

    @Test
    void putsStreamsOfOneGroupTogetherLeastMarginFirst() {
        String steady = led("g1", "n1", peer("n2", true, false), peer("n3", true, false));
        String lame = led("g2", "n2", peer("n1", true, false), peer("n3", false, true));
        Topology.View view =
                Topology.of(List.of(stream("A", 3, steady), stream("C", 3, steady), stream("B", 3, lame)), THREE);
        assertThat(view.groups()).extracting(Topology.GroupView::name).containsExactly("g2", "g1");
        assertThat(view.groups()).extracting(Topology.GroupView::margin).containsExactly(0, 1);
        assertThat(view.groups().getLast().streams()).containsExactly("A", "C");
    }

    @Test
    void givesNoMarginToOneReplicaAlone() {
        Topology.View view = Topology.of(List.of(stream("A", 1, led("", "n1"))), THREE);
        assertThat(view.groups().getFirst().margin()).isNull();
    }

    @Test
    void takesANodeThatStandsAloneAsThePlaceOfItsStreams() {
        Topology.View view = Topology.of(List.of(stream("A", 1, null)), THREE.subList(0, 1));
        assertThat(view.nodes()).extracting(Topology.NodeView::name).containsExactly("n1");
        assertThat(view.nodes().getFirst().leaders()).isEqualTo(1);
    }

    @Test
    void writesHaveStoppedWithoutALeaderOrAMajority() {
        JsonNode orphan = stream(
                "A",
                3,
                "{\"replicas\":[%s,%s,%s]}"
                        .formatted(peer("n1", true, false), peer("n2", false, true), peer("n3", false, true)));
        assertThat(Topology.margin(3, orphan.path("cluster"))).isEqualTo(-1);
        JsonNode alone = stream("A", 3, led("g", "n1", peer("n2", false, true), peer("n3", false, true)));
        assertThat(Topology.margin(3, alone.path("cluster"))).isEqualTo(-1);
    }
}
