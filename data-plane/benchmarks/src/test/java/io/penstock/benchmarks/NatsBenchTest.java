package io.penstock.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class NatsBenchTest {
    @Test
    void readsRateAndMedianLatency() throws IOException {
        NatsBench.Figures figures = NatsBench.parse(
                "NATS JetStream synchronous publisher stats: 9,530 msgs/sec ~ 2.3 MiB/sec ~ min: 27.78us ~ P50: 99.19us ~ P90: 146.95us");

        assertThat(figures.rate()).isEqualTo(9530);
        assertThat(figures.p50Micros()).isEqualTo(99.19, within(0.001));
    }

    @Test
    void takesTheAggregateOfSeveralClients() throws IOException {
        NatsBench.Figures figures = NatsBench.parse("""
                [1] 100 msgs/sec
                NATS Core NATS subscriber stats: 120,000 msgs/sec ~ 14 MiB/sec
                NATS Core NATS subscriber aggregated stats: 960,000 msgs/sec ~ 117 MiB/sec
                """);

        assertThat(figures.rate()).isEqualTo(960_000);
    }

    @Test
    void refusesOutputWithoutFigures() {
        assertThatThrownBy(() -> NatsBench.parse("nats: error: no servers available"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no servers available");
    }

    @Test
    void theMedianOfAnEvenNumberLiesBetween() {
        assertThat(Report.median(List.of(4.0, 1.0, 3.0, 2.0))).isEqualTo(2.5);
    }
}
