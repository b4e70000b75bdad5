package io.penstock.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DurationsTest {
    @ParameterizedTest
    @CsvSource({
        "1s,PT1S",
        "1m30s,PT1M30S",
        "250ms,PT0.25S",
        "1.5h,PT1H30M",
        "-2s,PT-2S",
        "0,PT0S",
        "1us,PT0.000001S",
        "3ns,PT0.000000003S",
        ".5s,PT0.5S"
    })
    void reads(String text, Duration expected) {
        assertThat(Durations.parse(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "PT2M,2m0s",
        "PT1H,1h0m0s",
        "PT1.5S,1.5s",
        "PT0.25S,250ms",
        "PT0S,0s",
        "PT0.0000015S,1.5µs",
        "PT0.000000005S,5ns",
        "PT26H3M4.5S,26h3m4.5s",
        "PT-1S,-1s"
    })
    void writes(Duration duration, String expected) {
        assertThat(Durations.format(duration)).isEqualTo(expected);
    }

    @Test
    void saysWhatIsWrong() {
        assertThatThrownBy(() -> Durations.parse("5")).hasMessage("time: missing unit in duration \"5\"");
        assertThatThrownBy(() -> Durations.parse("5x")).hasMessage("time: unknown unit \"x\" in duration \"5x\"");
        assertThatThrownBy(() -> Durations.parse("")).hasMessage("time: invalid duration \"\"");
        assertThatThrownBy(() -> Durations.parse("s")).hasMessage("time: invalid duration \"s\"");
    }
}
