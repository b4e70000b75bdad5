package io.penstock.jetstream.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LeaderBalancerTest {
    private static LeaderBalancer.Group group(String leader, long led, boolean whole, String... current) {
        return new LeaderBalancer.Group("g", List.of("a", "b", "c"), leader, led, List.of(current), whole);
    }

    @Test
    void movesLeadershipToWhoRanksFirst() {
        assertThat(LeaderBalancer.next(List.of(group("c", 10, true, "a", "b", "c")), 10))
                .isEqualTo(new LeaderBalancer.Transfer("g", "c", "a"));
        assertThat(LeaderBalancer.next(List.of(group("a", 10, true, "a", "b", "c")), 10))
                .isNull();
    }

    @Test
    void waitsUntilLeadersAreSettledAndReplicasWhole() {
        assertThat(LeaderBalancer.next(List.of(group("c", 9, true, "a", "b", "c")), 10))
                .isNull();
        assertThat(LeaderBalancer.next(List.of(group("c", 10, false, "a", "c")), 10))
                .isNull();
    }

    @Test
    void ranksEqually() {
        List<List<String>> rankings = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            rankings.add(LeaderBalancer.rank(List.of("a", "b", "c"), rankings));
        }
        Map<String, Integer> first = new HashMap<>();
        Map<String, Integer> second = new HashMap<>();
        rankings.forEach(r -> {
            first.merge(r.getFirst(), 1, Integer::sum);
            second.merge(r.get(1), 1, Integer::sum);
        });
        assertThat(first.values()).containsOnly(10);
        assertThat(second.values()).allMatch(n -> n >= 8 && n <= 12);
    }
}
