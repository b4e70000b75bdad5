package io.penstock.controlplane.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DurationsTest {
    @Test
    void writesTheShortestSpelling() {
        assertThat(
                        List.of(0L, 1L, 1_000L, 250_000_000L, 90_000_000_000L, 120_000_000_000L, 259_200_000_000_000L)
                                .stream()
                                .map(Durations::format))
                .containsExactly("0s", "1ns", "1us", "250ms", "1m30s", "2m", "72h");
        assertThat(Durations.format(3_723_500_000_000L)).isEqualTo("1h2m3.5s");
    }

    @Test
    void readsWhatItWrites() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 10_000; i++) {
            long nanos = random.nextLong() >>> (1 + random.nextInt(60));
            assertThat(Durations.parseNanos(Durations.format(nanos)))
                    .as("seed " + seed)
                    .isEqualTo(nanos);
        }
    }

    @Test
    void readsDaysAndFractions() {
        assertThat(Durations.parse("30d").toHours()).isEqualTo(720);
        assertThat(Durations.parse("1.5h").toMinutes()).isEqualTo(90);
    }

    @Test
    void refusesEverythingElse() {
        for (String text : List.of("", "5", "h", "1x", "1h ", "--1h", "999999999999h", "1e3s")) {
            assertThatThrownBy(() -> Durations.parse(text)).as(text).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
