package io.penstock.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LatenciesTest {
    @Test
    void tellsExactQuantiles() {
        Latencies latencies = new Latencies();
        for (int i = 2_000; i >= 1; i--) {
            latencies.add(i * 1_000_000L);
        }
        assertThat(latencies.count()).isEqualTo(2_000);
        assertThat(latencies.at(0.50)).isEqualTo(1_000.0);
        assertThat(latencies.at(0.99)).isEqualTo(1_980.0);
        assertThat(latencies.at(1)).isEqualTo(2_000.0);
        assertThat(new Latencies().at(0.5)).isNaN();
    }
}
