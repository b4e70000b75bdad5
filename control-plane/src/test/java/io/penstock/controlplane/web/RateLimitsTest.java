package io.penstock.controlplane.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class RateLimitsTest {
    private static final class TestingClock extends Clock {
        private long millis;

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return Instant.ofEpochMilli(millis);
        }
    }

    private final TestingClock clock = new TestingClock();
    private final RateLimits limits = new RateLimits(clock, 1);

    @Test
    void refusesAfterTheBurstAndRefillsWithTime() {
        for (int i = 0; i < 20; i++) {
            assertThat(limits.take("me", RateLimits.Kind.SECRET)).isGreaterThanOrEqualTo(0);
        }
        assertThat(limits.take("me", RateLimits.Kind.SECRET)).isNegative();
        assertThat(limits.take("you", RateLimits.Kind.SECRET)).isGreaterThanOrEqualTo(0);
        clock.millis += 500;
        assertThat(limits.take("me", RateLimits.Kind.SECRET)).isGreaterThanOrEqualTo(0);
        assertThat(limits.take("me", RateLimits.Kind.SECRET)).isNegative();
    }

    @Test
    void kindsOfCallsAreTold() {
        assertThat(RateLimits.Kind.of("POST", "/v1/accounts/a/credentials")).isEqualTo(RateLimits.Kind.SECRET);
        assertThat(RateLimits.Kind.of("GET", "/v1/accounts/a/streams/S/messages"))
                .isEqualTo(RateLimits.Kind.BROWSE);
        assertThat(RateLimits.Kind.of("GET", "/v1/me")).isEqualTo(RateLimits.Kind.READ);
        assertThat(RateLimits.Kind.of("DELETE", "/v1/projects/p")).isEqualTo(RateLimits.Kind.WRITE);
    }
}
