package io.penstock.accountservice.statement;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ReplayGuardTest {
    private static final Instant NOW = Instant.ofEpochSecond(1_796_000_000L);

    private final ReplayGuard guard = new ReplayGuard(Duration.ofSeconds(70));

    @Test
    void acceptsAStatementOnceInItsLifeWheneverItComes() {
        for (int start = 0; start < 200; start += 13) {
            String token = "s" + start;
            assertThat(guard.firstUse(token, NOW.plusSeconds(start))).isTrue();
        }
        ReplayGuard fresh = new ReplayGuard(Duration.ofSeconds(70));
        for (int start = 0; start < 500; start += 7) {
            String token = "t" + start;
            assertThat(fresh.firstUse(token, NOW.plusSeconds(start))).isTrue();
            String earlier = "t" + (start - 63);
            assertThat(start < 63 || !fresh.firstUse(earlier, NOW.plusSeconds(start)))
                    .as(earlier)
                    .isTrue();
        }
    }

    @Test
    void forgetsTheExpired() {
        assertThat(guard.firstUse("a", NOW)).isTrue();
        assertThat(guard.firstUse("a", NOW.plusSeconds(69))).isFalse();
        assertThat(guard.firstUse("a", NOW.plusSeconds(141))).isTrue();
    }

    @Test
    void staysBounded() {
        for (int i = 0; i < ReplayGuard.MAX_PER_GENERATION; i++) {
            assertThat(guard.firstUse("s" + i, NOW)).isTrue();
        }
        assertThat(guard.firstUse("one more", NOW)).isFalse();
        assertThat(guard.firstUse("later", NOW.plusSeconds(71))).isTrue();
    }
}
