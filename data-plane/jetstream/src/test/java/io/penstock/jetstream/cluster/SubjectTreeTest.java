package io.penstock.jetstream.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.protocol.Subjects;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class SubjectTreeTest {
    private static final String[] TOKENS = {"a", "b", "c", "*"};

    private static String pattern(Random random) {
        StringBuilder pattern = new StringBuilder(TOKENS[random.nextInt(TOKENS.length)]);
        for (int left = random.nextInt(3); left > 0; left--) {
            pattern.append('.').append(TOKENS[random.nextInt(TOKENS.length)]);
        }
        return random.nextInt(4) == 0 ? pattern.append(".>").toString() : pattern.toString();
    }

    @Test
    void findsWhatComparingEachFinds() {
        for (int seed = 1; seed <= 500; seed++) {
            Random random = new Random(seed);
            SubjectTree tree = new SubjectTree();
            Map<String, String> streams = new TreeMap<>();
            for (int i = 0; i < 30; i++) {
                String stream = "s" + random.nextInt(10);
                String before = streams.remove(stream);
                if (before != null) {
                    tree.remove(before, stream);
                }
                if (random.nextInt(3) > 0) {
                    String subject = pattern(random);
                    streams.put(stream, subject);
                    tree.add(subject, stream);
                }
                String asked = random.nextInt(20) == 0 ? ">" : pattern(random);
                String without = "s" + random.nextInt(12);
                boolean expected = streams.entrySet().stream()
                        .anyMatch(e -> !e.getKey().equals(without) && Subjects.overlap(e.getValue(), asked));
                assertThat(tree.overlaps(asked, without))
                        .as("seed %d: %s among %s without %s", seed, asked, streams, without)
                        .isEqualTo(expected);
            }
        }
    }

    @Test
    void lettingAStreamGoLeavesAnotherOfTheSameSubject() {
        SubjectTree tree = new SubjectTree();
        tree.add("a.>", "one");
        tree.add("a.>", "two");
        assertThat(tree.overlaps("a.b", "one")).isTrue();
        tree.remove("a.>", "two");
        assertThat(tree.overlaps("a.b", "one")).isFalse();
        assertThat(tree.overlaps("a.b", "two")).isTrue();
        tree.remove("a.>", "one");
        assertThat(tree.overlaps(">", "")).isFalse();
    }
}
