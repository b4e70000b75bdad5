package io.penstock.chaos.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What a run counts as answered, as answered late and as given up. */
class OperationsTest {
    private final Operations operations = new Operations("things", 3);

    @Test
    void triesAgainUntilThereIsAnAnswer() throws InterruptedException {
        AtomicInteger attempts = new AtomicInteger();
        assertThat(operations.run(1, () -> attempts.incrementAndGet() == 3)).isTrue();
        assertThat(operations.run(1, () -> true)).isTrue();
        assertThat(attempts).hasValue(3);
        assertThat(operations.done()).isEqualTo(2);
        assertThat(operations.failed()).isZero();
        assertThat(operations.line()).contains("2 answered", "1 of them after another attempt", "0 given up");
    }

    @Test
    void givesUpAfterItsAttempts() throws InterruptedException {
        AtomicInteger attempts = new AtomicInteger();
        assertThat(operations.run(1, () -> attempts.incrementAndGet() > 3)).isFalse();
        assertThat(attempts).hasValue(3);
        assertThat(operations.failed()).isEqualTo(1);
        assertThat(operations.gap().acks()).isZero();
    }

    @Test
    void aGapOfOneClientIsNotHiddenByTheOthers() {
        AckGap gap = new AckGap();
        gap.acked(1);
        gap.acked(2);
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < 20_000_000) {
            gap.acked(2);
        }
        assertThat(gap.longestOfOneNanos()).isGreaterThanOrEqualTo(20_000_000);
        assertThat(gap.longestOfOneNanos()).isGreaterThan(gap.longestNanos());
    }
}
