package io.penstock.chaos.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.chaos.workload.Publishers.Acked;
import io.penstock.chaos.workload.Stored.Entry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Each way a stream can break its promise is noticed: a checker that sees nothing is worse than none. */
class PublishCheckTest {
    private final List<Acked> acked = new ArrayList<>();
    private final Map<String, String> sent = new HashMap<>();
    private final List<Entry> entries = new ArrayList<>();

    PublishCheckTest() {
        for (int n = 1; n <= 4; n++) {
            acked.add(new Acked(n, "v" + n, "s.1", 0));
            sent.put("v" + n, "s.1");
            entries.add(new Entry(n, "s.1", "v" + n));
        }
    }

    private List<String> check() {
        Violations violations = new Violations();
        PublishCheck.check(acked, sent, entries, "n1", violations);
        return violations.list();
    }

    @Test
    void findsNothingInAStreamThatKeptItsPromise() {
        sent.put("doubtful", "s.2");
        entries.add(new Entry(5, "s.2", "doubtful"));

        assertThat(check()).isEmpty();
    }

    @Test
    void findsALostMessage() {
        entries.removeLast();

        assertThat(check()).containsExactly("I1: n1: acknowledged v4 at 4 is missing");
    }

    @Test
    void findsAHole() {
        entries.remove(1);

        assertThat(check()).contains("I2: n1: sequence 3 follows 1");
    }

    @Test
    void findsASequenceWithAnotherValue() {
        sent.put("other", "s.1");
        entries.set(2, new Entry(3, "s.1", "other"));

        assertThat(check()).containsExactly("I2: n1: 3 was acknowledged as v3 and holds other");
    }

    @Test
    void findsASequenceAcknowledgedTwice() {
        sent.put("late", "s.1");
        acked.add(new Acked(4, "late", "s.1", 1));

        assertThat(check()).anyMatch(line -> line.startsWith("I2: 4 was acknowledged for v4 and late"));
    }

    @Test
    void findsMessagesOutOfOrder() {
        acked.add(new Acked(2, "v2", "s.1", 0));

        assertThat(check()).containsExactly("I3: publisher 0 got 2 after 4");
    }

    @Test
    void findsADuplicate() {
        entries.add(new Entry(5, "s.1", "v1"));

        assertThat(check()).containsExactly("I4: n1: v1 is stored 2 times");
    }

    @Test
    void findsWhatNobodySent() {
        entries.add(new Entry(5, "s.1", "invented"));

        assertThat(check()).containsExactly("I6: n1: s.1 holds invented, sent to null");
    }
}
