package io.penstock.server.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RepetitionsTest {
    @Test
    void letsALineThroughEveryTenSecondsAndCountsTheRest() {
        long now = System.nanoTime();
        long second = TimeUnit.SECONDS.toNanos(1);
        assertThat(Repetitions.of("library", "no link to {}", now)).isZero();
        assertThat(Repetitions.of("library", "no link to {}", now + second)).isEqualTo(-1);
        assertThat(Repetitions.of("library", "another {}", now + second)).isZero();
        assertThat(Repetitions.of("library", "no link to {}", now + 9 * second)).isEqualTo(-1);
        assertThat(Repetitions.of("library", "no link to {}", now + 10 * second))
                .isEqualTo(2);
        assertThat(Repetitions.of("library", "no link to {}", now + 21 * second))
                .isZero();
    }
}
