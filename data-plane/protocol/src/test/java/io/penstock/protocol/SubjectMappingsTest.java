package io.penstock.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.protocol.SubjectMappings.Definition;
import io.penstock.protocol.SubjectMappings.Destination;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;

class SubjectMappingsTest {
    private static SubjectMappings of(String source, Destination... destinations) throws InvalidTransformException {
        return SubjectMappings.of(List.of(new Definition(source, List.of(destinations))), "here");
    }

    private static Map<String, Integer> spread(SubjectMappings mappings, String subject) {
        SplittableRandom random = new SplittableRandom(42);
        IntUnaryOperator draw = random::nextInt;
        Map<String, Integer> counts = new HashMap<>();
        for (int i = 0; i < 10_000; i++) {
            counts.merge(String.valueOf(mappings.map(subject, draw)), 1, Integer::sum);
        }
        return counts;
    }

    @Test
    void theFirstMatchDecidesAndIsNotMappedAgain() throws Exception {
        SubjectMappings mappings = SubjectMappings.of(
                List.of(
                        new Definition("a.*", List.of(Destination.all("b.$1"))),
                        new Definition("a.>", List.of(Destination.all("c.>"))),
                        new Definition("b.*", List.of(Destination.all("d.$1")))),
                "");

        assertThat(mappings.map("a.1", n -> 0)).isEqualTo("b.1");
        assertThat(mappings.map("a.1.2", n -> 0)).isEqualTo("c.1.2");
        assertThat(mappings.map("x", n -> 0)).isEqualTo("x");
    }

    @Test
    void theRestOfTheWeightStaysOnTheSource() throws Exception {
        Map<String, Integer> counts = spread(of("foo", new Destination("bar", 40, "")), "foo");

        assertThat(counts.get("bar")).isBetween(3800, 4200);
        assertThat(counts.get("foo")).isBetween(5800, 6200);
    }

    @Test
    void theRestIsLostWhenTheSourceIsNamed() throws Exception {
        Map<String, Integer> counts =
                spread(of("foo.*", new Destination("bar.$1", 40, ""), new Destination("foo.*", 30, "")), "foo.1");

        assertThat(counts.get("bar.1")).isBetween(3800, 4200);
        assertThat(counts.get("foo.1")).isBetween(2800, 3200);
        assertThat(counts.get("null")).isBetween(2800, 3200);
    }

    @Test
    void destinationsOfThisClusterReplaceTheOthers() throws Exception {
        Destination elsewhere = new Destination("there", 100, "there");
        Destination own = new Destination("ours", 100, "here");

        assertThat(of("foo", Destination.all("any"), own).map("foo", n -> 0)).isEqualTo("ours");
        assertThat(of("foo", Destination.all("any"), elsewhere).map("foo", n -> 0))
                .isEqualTo("any");
    }

    @Test
    void refusesWeightsAboveAHundred() {
        assertThatThrownBy(() -> of("foo", new Destination("a", 60, ""), new Destination("b", 60, "")))
                .isInstanceOf(InvalidTransformException.class)
                .hasMessageContaining("total weight");
    }

    @Test
    void spreadsPartitionsOfSeveralWildcards() throws Exception {
        SubjectMappings mappings =
                of("g.*.*.*.*", Destination.all("m.{{wildcard(1)}}.{{wildcard(2)}}.{{partition(3,3,4)}}"));
        Map<String, Integer> perPartition = new HashMap<>();
        for (int i = 0; i < 3000; i++) {
            String mapped = mappings.map("g.a.b." + i % 60 + "." + i / 60, n -> 0);
            perPartition.merge(mapped, 1, Integer::sum);
        }

        assertThat(perPartition).containsOnlyKeys("m.a.b.0", "m.a.b.1", "m.a.b.2");
        assertThat(perPartition.values()).allMatch(count -> count >= 600);
    }
}
