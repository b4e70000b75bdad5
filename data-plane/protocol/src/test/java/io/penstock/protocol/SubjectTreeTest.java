package io.penstock.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SubjectTreeTest {
    /** A subscriber compared by identity. */
    private static final class Reader {
        private final String pattern;
        private final String queue;

        private Reader(String pattern, String queue) {
            this.pattern = pattern;
            this.queue = queue;
        }

        @Override
        public String toString() {
            return pattern + (queue == null ? "" : " " + queue);
        }
    }

    private final SubjectTree<Reader> tree = new SubjectTree<>(Reader[]::new);

    private Reader add(String pattern, String queue) {
        Reader reader = new Reader(pattern, queue);
        tree.add(pattern, queue, reader);
        return reader;
    }

    @ParameterizedTest
    @CsvSource({
        "foo.bar, foo.bar, true",
        "foo.bar, foo.baz, false",
        "foo.*, foo.bar, true",
        "foo.*, foo.bar.baz, false",
        "foo.*, foo, false",
        "foo.>, foo.bar.baz, true",
        "foo.>, foo, false",
        ">, foo, true",
        "*, foo, true",
        "foo.*, foo.*, true",
        "foo.bar, foo.*, false",
        "foo.>, foo.>, true",
        "foo*, foobar, false",
        "foo*, foo*, true",
        "*.*.baz, foo.bar.baz, true",
        ">, foo..bar, false",
        ">, .foo, false",
        ">, foo., false",
    })
    void matches(String pattern, String subject, boolean expected) {
        Reader reader = add(pattern, null);

        SubjectTree.Match<Reader> match = tree.match(subject);

        assertThat(match.plain()).isEqualTo(expected ? new Reader[] {reader} : new Reader[0]);
        byte[] bytes = subject.getBytes(StandardCharsets.ISO_8859_1);
        assertThat(tree.hasInterest(bytes, 0, bytes.length)).isEqualTo(expected);
    }

    @Test
    void keepsGroupsOfOneNameUnderDifferentPatternsApart() {
        Reader a = add("foo.*", "q");
        Reader b = add("foo.*", "q");
        Reader c = add("foo.bar", "q");
        Reader plain = add("foo.>", null);

        SubjectTree.Match<Reader> match = tree.match("foo.bar");

        assertThat(match.plain()).containsExactly(plain);
        assertThat(Arrays.stream(match.queues()).map(Set::of)).containsExactlyInAnyOrder(Set.of(a, b), Set.of(c));
    }

    @Test
    void forgetsWhatWasRemoved() {
        Reader a = add("foo.*.x", null);
        Reader b = add("foo.*.x", "q");
        assertThat(tree.size()).isEqualTo(2);

        assertThat(tree.remove("foo.*.x", null, a)).isTrue();
        assertThat(tree.remove("foo.*.x", null, a)).isFalse();
        assertThat(tree.match("foo.1.x").plain()).isEmpty();
        assertThat(tree.match("foo.1.x").queues()).hasDimensions(1, 1);
        assertThat(tree.remove("foo.*.x", "q", b)).isTrue();
        assertThat(tree.match("foo.1.x").isEmpty()).isTrue();
        assertThat(tree.size()).isZero();
    }

    @Test
    void answersLikeANaiveMatcher() {
        long seed = new SplittableRandom().nextLong();
        SplittableRandom random = new SplittableRandom(seed);
        List<Reader> readers = new ArrayList<>();
        for (int step = 0; step < 6000; step++) {
            if (readers.isEmpty() || random.nextInt(5) < 3) {
                readers.add(add(randomPattern(random), random.nextInt(3) == 0 ? "q" + random.nextInt(3) : null));
            } else {
                Reader gone = readers.remove(random.nextInt(readers.size()));
                assertThat(tree.remove(gone.pattern, gone.queue, gone)).isTrue();
            }
            String subject = randomSubject(random);
            SubjectTree.Match<Reader> match = tree.match(subject);
            assertThat(Set.of(match.plain()))
                    .as("seed %d, step %d, %s", seed, step, subject)
                    .isEqualTo(readers.stream()
                            .filter(r -> r.queue == null && Subjects.matches(r.pattern, subject))
                            .collect(Collectors.toSet()));
            Set<Set<Reader>> groups = Arrays.stream(match.queues()).map(Set::of).collect(Collectors.toSet());
            assertThat(groups)
                    .as("seed %d, step %d, %s", seed, step, subject)
                    .isEqualTo(Set.copyOf(readers.stream()
                            .filter(r -> r.queue != null && Subjects.matches(r.pattern, subject))
                            .collect(Collectors.groupingBy(Reader::toString, Collectors.toSet()))
                            .values()));
        }
        assertThat(tree.size()).isEqualTo(readers.size());
    }

    private static String randomPattern(SplittableRandom random) {
        int tokens = 1 + random.nextInt(4);
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < tokens; i++) {
            int kind = random.nextInt(8);
            parts.add(kind == 0 ? "*" : kind == 1 && i == tokens - 1 ? ">" : "t" + random.nextInt(20));
        }
        return String.join(".", parts);
    }

    private static String randomSubject(SplittableRandom random) {
        int tokens = 1 + random.nextInt(4);
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < tokens; i++) {
            parts.add("t" + random.nextInt(20));
        }
        return String.join(".", parts);
    }

    @Test
    void cachesAnswersUntilInterestOfTheirKindChanges() {
        SubjectCache<String> cache = new SubjectCache<>();
        byte[] subject = "orders.new".getBytes(StandardCharsets.ISO_8859_1);
        int hash = SubjectHash.of(subject, 0, subject.length);
        int kind = SubjectTree.classOf(subject, 0, subject.length);
        cache.put(subject, 0, subject.length, hash, kind, tree.stamp(kind), "cached");

        add("other.>", null);
        assertThat(cache.get(tree, subject, 0, subject.length, hash)).isEqualTo("cached");

        add("orders.>", null);
        assertThat(cache.get(tree, subject, 0, subject.length, hash)).isNull();

        cache.put(subject, 0, subject.length, hash, kind, tree.stamp(kind), "again");
        add("*.new", null);
        assertThat(cache.get(tree, subject, 0, subject.length, hash)).isNull();
    }

    @Test
    void remembersManySubjectsAtOnce() {
        SubjectCache<Integer> cache = new SubjectCache<>();
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < 500; i++) {
                byte[] subject = ("s." + i).getBytes(StandardCharsets.ISO_8859_1);
                int hash = SubjectHash.of(subject, 0, subject.length);
                int kind = SubjectTree.classOf(subject, 0, subject.length);
                Integer known = cache.get(tree, subject, 0, subject.length, hash);
                assertThat(known == null || Objects.equals(known, i)).isTrue();
                cache.put(subject, 0, subject.length, hash, kind, tree.stamp(kind), i);
            }
        }
        assertThat(cache.size()).isGreaterThan(300);
    }

    @Test
    void neverLosesASubscriberThatStaysWhileOthersComeAndGo() throws Exception {
        List<Reader> staying = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            staying.add(add("a." + i, null));
        }
        AtomicBoolean stop = new AtomicBoolean();
        Thread writer = new Thread(() -> {
            for (int round = 0; round < 300; round++) {
                List<Reader> added = new ArrayList<>();
                for (int i = 0; i < 60; i++) {
                    added.add(add("a." + (6 + i), null));
                    added.add(add("a.0", null));
                }
                added.forEach(reader -> tree.remove(reader.pattern, null, reader));
            }
            stop.set(true);
        });
        writer.start();
        while (!stop.get()) {
            for (int i = 0; i < staying.size(); i++) {
                assertThat(tree.match("a." + i).plain()).contains(staying.get(i));
            }
        }
        writer.join();
        assertThat(tree.size()).isEqualTo(6);
    }
}
