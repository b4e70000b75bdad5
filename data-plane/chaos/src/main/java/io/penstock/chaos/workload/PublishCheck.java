package io.penstock.chaos.workload;

import io.penstock.chaos.workload.Publishers.Acked;
import io.penstock.chaos.workload.Stored.Entry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** I1 to I6 on a stream that keeps everything. */
final class PublishCheck {
    private PublishCheck() {}

    static void check(
            List<Acked> acked, Map<String, String> sent, List<Entry> entries, String where, Violations violations) {
        Map<Long, Entry> bySequence = new HashMap<>();
        Map<String, Integer> copies = new HashMap<>();
        long previous = 0;
        for (Entry entry : entries) {
            if (previous != 0 && entry.sequence() != previous + 1) {
                violations.add("I2", "%s: sequence %d follows %d".formatted(where, entry.sequence(), previous));
            }
            previous = entry.sequence();
            bySequence.put(entry.sequence(), entry);
            copies.merge(entry.value(), 1, Integer::sum);
            if (!entry.subject().equals(sent.get(entry.value()))) {
                violations.add(
                        "I6",
                        "%s: %s holds %s, sent to %s"
                                .formatted(where, entry.subject(), entry.value(), sent.get(entry.value())));
            }
        }
        copies.forEach((value, count) -> {
            if (count > 1) {
                violations.add("I4", "%s: %s is stored %d times".formatted(where, value, count));
            }
        });
        acknowledged(acked, bySequence, where, violations);
    }

    private static void acknowledged(
            List<Acked> acked, Map<Long, Entry> bySequence, String where, Violations violations) {
        Map<Integer, Long> lastOf = new HashMap<>();
        Map<Long, String> owner = new HashMap<>();
        for (Acked message : acked) {
            Entry entry = bySequence.get(message.sequence());
            if (entry == null) {
                violations.add(
                        "I1",
                        "%s: acknowledged %s at %d is missing".formatted(where, message.value(), message.sequence()));
            } else if (!entry.value().equals(message.value())) {
                violations.add(
                        "I2",
                        "%s: %d was acknowledged as %s and holds %s"
                                .formatted(where, message.sequence(), message.value(), entry.value()));
            }
            String other = owner.put(message.sequence(), message.value());
            if (other != null && !other.equals(message.value())) {
                violations.add(
                        "I2",
                        "%d was acknowledged for %s and %s".formatted(message.sequence(), other, message.value()));
            }
            Long before = lastOf.put(message.publisher(), message.sequence());
            if (before != null && before >= message.sequence()) {
                violations.add(
                        "I3",
                        "publisher %d got %d after %d".formatted(message.publisher(), message.sequence(), before));
            }
        }
    }
}
