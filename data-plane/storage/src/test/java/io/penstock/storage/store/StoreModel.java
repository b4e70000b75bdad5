package io.penstock.storage.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.protocol.SubjectFilter;
import io.penstock.storage.StoredMessage;
import io.penstock.storage.StreamState;
import io.penstock.storage.StreamStore;
import io.penstock.storage.SubjectState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;

/** What a store should do, in the plainest way. */
final class StoreModel {
    static final List<SubjectFilter> FILTERS = List.of(
            SubjectFilter.ALL,
            SubjectFilter.of("a.1"),
            SubjectFilter.of("a.*"),
            SubjectFilter.of("a.>"),
            SubjectFilter.of("*.2"),
            SubjectFilter.of("b.0", "b.1", "zz"),
            SubjectFilter.of("b.>", "a.3"),
            SubjectFilter.of("c.*.x"),
            SubjectFilter.of("none.>"));

    final TreeMap<Long, StoredMessage> messages = new TreeMap<>();
    long last;
    long lastTime;

    private final int overhead;
    private final int headersOverhead;

    StoreModel(boolean file) {
        overhead = file ? 30 : 16;
        headersOverhead = file ? 4 : 0;
    }

    private long size(StoredMessage message) {
        return (long) overhead
                + message.subject().length()
                + message.payload().length
                + (message.headers().length > 0 ? headersOverhead + message.headers().length : 0);
    }

    long first() {
        return messages.isEmpty() ? last + 1 : messages.firstKey();
    }

    List<Long> matching(SubjectFilter filter, long from, long upTo) {
        List<Long> found = new ArrayList<>();
        if (from <= upTo) {
            messages.subMap(Math.max(0, from), true, upTo, true).forEach((sequence, message) -> {
                if (filter.matches(message.subject())) {
                    found.add(sequence);
                }
            });
        }
        return found;
    }

    SortedMap<String, SubjectState> subjects(SubjectFilter filter) {
        TreeMap<String, SubjectState> states = new TreeMap<>();
        messages.forEach((sequence, message) -> {
            if (filter.matches(message.subject())) {
                states.merge(
                        message.subject(),
                        new SubjectState(1, sequence, sequence),
                        (a, b) -> new SubjectState(a.messages() + 1, a.firstSequence(), b.lastSequence()));
            }
        });
        return states;
    }

    List<Long> lastPerSubject(SubjectFilter filter, long upTo) {
        Map<String, Long> lasts = new TreeMap<>();
        for (long sequence : matching(filter, 0, upTo)) {
            lasts.put(messages.get(sequence).subject(), sequence);
        }
        return lasts.values().stream().sorted().toList();
    }

    long purge(SubjectFilter filter, long below, long keep) {
        List<Long> all = matching(filter, 0, last);
        List<Long> removing = new ArrayList<>(all.subList(0, (int) Math.max(0, all.size() - keep)));
        removing.removeIf(sequence -> below > 0 && sequence >= below);
        removing.forEach(messages::remove);
        return removing.size();
    }

    void assertSame(StreamStore store, Random random) {
        assertState(store);
        for (long sequence = 0; sequence <= last + 1; sequence++) {
            assertMessage(store.load(sequence), messages.get(sequence));
        }
        for (SubjectFilter filter : FILTERS) {
            assertSearches(store, filter, random.nextLong(last + 2));
            TreeMap<String, SubjectState> found = new TreeMap<>();
            List<String> order = new ArrayList<>();
            store.subjects(filter, (name, state) -> {
                order.add(name);
                found.put(name, state);
                return true;
            });
            assertThat(found).isEqualTo(subjects(filter));
            assertThat(order).isEqualTo(List.copyOf(found.keySet()));
        }
        List<Long> missing = new ArrayList<>();
        store.deleted(missing::add);
        List<Long> expected = new ArrayList<>();
        for (long sequence = first(); sequence <= last && !messages.isEmpty(); sequence++) {
            if (!messages.containsKey(sequence)) {
                expected.add(sequence);
            }
        }
        assertThat(missing).isEqualTo(expected);
        long time = random.nextLong(lastTime + 20);
        long at = messages.values().stream()
                .filter(message -> message.timestampNanos() >= time)
                .mapToLong(StoredMessage::sequence)
                .findFirst()
                .orElse(last + 1);
        assertThat(store.sequenceAt(time)).as("at time %d", time).isEqualTo(at);
    }

    void assertState(StreamStore store) {
        long sum = messages.values().stream().mapToLong(this::size).sum();
        long count = messages.size();
        assertThat(store.state())
                .isEqualTo(new StreamState(
                        count,
                        sum,
                        first(),
                        messages.isEmpty()
                                ? 0
                                : messages.firstEntry().getValue().timestampNanos(),
                        last,
                        lastTime,
                        subjects(SubjectFilter.ALL).size(),
                        messages.isEmpty() ? 0 : last - first() + 1 - count));
    }

    private void assertSearches(StreamStore store, SubjectFilter filter, long at) {
        List<Long> behind = matching(filter, at, last);
        List<Long> before = matching(filter, 0, at);
        assertThat(store.nextSequence(filter, at))
                .as("next %s from %d", filter, at)
                .isEqualTo(behind.isEmpty() ? 0 : behind.getFirst());
        assertMessage(store.next(filter, at), behind.isEmpty() ? null : messages.get(behind.getFirst()));
        assertThat(store.lastSequence(filter, at))
                .as("last %s up to %d", filter, at)
                .isEqualTo(before.isEmpty() ? 0 : before.getLast());
        assertThat(store.pending(filter, at, false))
                .as("pending %s from %d", filter, at)
                .isEqualTo(behind.size());
        assertThat(store.pending(filter, at, true))
                .as("pending last %s from %d", filter, at)
                .isEqualTo(lastPerSubject(filter, last).stream()
                        .filter(sequence -> sequence >= at)
                        .count());
        List<Long> lasts = new ArrayList<>();
        store.lastPerSubject(filter, at, lasts::add);
        assertThat(lasts).as("last per subject %s up to %d", filter, at).isEqualTo(lastPerSubject(filter, at));
    }

    private static void assertMessage(StoredMessage actual, StoredMessage expected) {
        if (expected == null) {
            assertThat(actual).isNull();
            return;
        }
        assertThat(actual).as("message %d", expected.sequence()).isNotNull();
        assertThat(actual.sequence()).isEqualTo(expected.sequence());
        assertThat(actual.timestampNanos()).isEqualTo(expected.timestampNanos());
        assertThat(actual.subject()).isEqualTo(expected.subject());
        assertThat(actual.headers()).isEqualTo(expected.headers());
        assertThat(actual.payload()).isEqualTo(expected.payload());
    }
}
