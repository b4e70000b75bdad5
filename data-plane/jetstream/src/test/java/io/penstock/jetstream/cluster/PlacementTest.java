package io.penstock.jetstream.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.jetstream.cluster.Placement.Candidate;
import io.penstock.jetstream.cluster.Placement.Choice;
import io.penstock.jetstream.cluster.Placement.Wanted;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PlacementTest {
    private static final long GIB = 1L << 30;

    private static Candidate node(String name, String... tags) {
        return new Candidate(
                name, "C", List.of(tags), true, false, Placement.zone(List.of(tags), "az:"), GIB, GIB, 0, 0);
    }

    private static Candidate with(Candidate c, boolean online, long free, int haAssets, int streams) {
        return new Candidate(
                c.name(), c.cluster(), c.tags(), online, false, c.zone(), free, c.capacity(), haAssets, streams);
    }

    private static Wanted wanted(int replicas, String... tags) {
        return new Wanted(replicas, "", List.of(tags), 0, "az:", 0, List.of());
    }

    private static String problem(List<Candidate> nodes, Wanted wanted) {
        Choice choice = Placement.choose(nodes, wanted);
        assertThat(choice.found()).isFalse();
        return choice.problem();
    }

    @Test
    void spreadsReplicasOverZones() {
        List<Candidate> nodes = List.of(
                node("a1", "az:a"), node("a2", "az:a"), node("b1", "az:b"), node("b2", "az:b"), node("c1", "az:c"));
        assertThat(Placement.choose(nodes, wanted(3)).nodes()).containsExactly("a1", "b1", "c1");
        assertThat(problem(nodes, wanted(5))).isEqualTo("no suitable peers for placement, server tag not unique");
    }

    @Test
    void obeysTagsAndExclusions() {
        List<Candidate> nodes =
                List.of(node("a", "az:a", "ssd"), node("b", "az:b", "SSD", "old"), node("c", "az:c", "!jetstream"));
        assertThat(Placement.choose(nodes, wanted(1, "ssd", "!old")).nodes()).containsExactly("a");
        assertThat(problem(nodes, wanted(3, "ssd"))).isEqualTo("no suitable peers for placement, exclude tag set");
        assertThat(problem(nodes, wanted(1, "gpu", "!old")))
                .isEqualTo(
                        "no suitable peers for placement, exclude tag set, tags not matched ['gpu'], tags excluded ['old']");
    }

    @Test
    void passesOverNodesThatAreAwayFullOrBusy() {
        List<Candidate> nodes = List.of(
                with(node("a", "az:a"), false, GIB, 0, 0),
                with(node("b", "az:b"), true, 10, 0, 0),
                with(node("c", "az:c"), true, GIB, 7, 0));
        Wanted large = new Wanted(3, "", List.of(), 100, "az:", 7, List.of());
        assertThat(problem(nodes, large))
                .isEqualTo("no suitable peers for placement, peer offline, insufficient storage, miscellaneous issue");
        assertThat(problem(nodes, new Wanted(1, "D", List.of(), 0, "az:", 0, List.of())))
                .isEqualTo("no suitable peers for placement, jetstream not enabled in cluster");
    }

    @Test
    void takesTheFreestNodeForOneReplicaAndTheOneWithFewestAssetsForMore() {
        List<Candidate> nodes = List.of(
                with(node("a", "az:a"), true, GIB / 2, 0, 0),
                with(node("b", "az:b"), true, GIB, 9, 3),
                with(node("c", "az:c"), true, GIB, 5, 2));
        assertThat(Placement.choose(nodes, wanted(1)).nodes()).containsExactly("c");
        assertThat(Placement.choose(nodes, wanted(2)).nodes()).containsExactly("a", "c");
    }

    @Test
    void neverChoosesANodeThatIsNotEligibleNorAZoneTwice() {
        for (int seed = 0; seed < 2000; seed++) {
            Random random = new Random(seed);
            List<Candidate> nodes = new ArrayList<>();
            for (int i = 0; i < 1 + random.nextInt(8); i++) {
                Candidate node = node(
                        "n" + i,
                        "az:" + random.nextInt(4),
                        random.nextBoolean() ? "ssd" : "hdd",
                        random.nextInt(9) == 0 ? "!jetstream" : "x");
                nodes.add(
                        with(node, random.nextInt(5) > 0, random.nextLong(GIB), random.nextInt(5), random.nextInt(9)));
            }
            Wanted wanted = new Wanted(
                    1 + random.nextInt(5),
                    "",
                    random.nextBoolean() ? List.of("ssd") : List.of("!ssd"),
                    random.nextLong(GIB),
                    "az:",
                    random.nextInt(6),
                    List.of());
            Choice choice = Placement.choose(nodes, wanted);
            if (choice.found()) {
                assertThat(choice.nodes())
                        .as("seed " + seed)
                        .hasSize(wanted.replicas())
                        .doesNotHaveDuplicates();
                assertThat(Placement.eligible(nodes, wanted)).as("seed " + seed).containsAll(choice.nodes());
                Set<String> zones = new HashSet<>();
                nodes.stream().filter(n -> choice.nodes().contains(n.name())).forEach(n -> zones.add(n.zone()));
                assertThat(zones).as("seed " + seed).hasSize(wanted.replicas());
            } else {
                assertThat(choice.problem()).as("seed " + seed).startsWith("no suitable peers for placement");
            }
        }
    }
}
