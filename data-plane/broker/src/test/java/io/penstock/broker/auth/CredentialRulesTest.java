package io.penstock.broker.auth;

import static org.assertj.core.api.Assertions.assertThat;

import at.favre.lib.crypto.bcrypt.BCrypt;
import io.penstock.broker.sharing.Revocations;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CredentialRulesTest {
    @Test
    void revokesWhatWasIssuedUpToTheTime() {
        Revocations revocations = new Revocations(Map.of("UA", 100L));

        assertThat(revocations.isRevoked("UA", 99)).isTrue();
        assertThat(revocations.isRevoked("UA", 100)).isTrue();
        assertThat(revocations.isRevoked("UA", 101)).isFalse();
        assertThat(revocations.isRevoked("UB", 1)).isFalse();
    }

    @Test
    void starRevokesEveryone() {
        Revocations revocations = new Revocations(Map.of("*", 100L, "UA", 10L));

        assertThat(revocations.isRevoked("UA", 50)).isTrue();
        assertThat(revocations.isRevoked("UB", 100)).isTrue();
        assertThat(revocations.isRevoked("UB", 101)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/8, 10.1.2.3, true",
        "10.0.0.0/8, 11.1.2.3, false",
        "192.168.1.128/25, 192.168.1.129, true",
        "192.168.1.128/25, 192.168.1.127, false",
        "0.0.0.0/0, 8.8.8.8, true",
        "::1/128, ::1, true",
        "2001:db8::/33, 2001:db8:7fff::1, true",
        "2001:db8::/33, 2001:db8:8000::1, false",
        "10.0.0.0/8, ::1, false",
        "10.0.0.0/8, not.an.address, false",
        "nonsense, 10.0.0.1, false",
        "10.0.0.0/40, 10.0.0.1, false",
    })
    void sourceAddressMustLieInANetwork(String network, String host, boolean allowed) {
        assertThat(SourceRanges.allow(List.of(network), host)).isEqualTo(allowed);
    }

    @Test
    void sourceNetworksMayBeOneCommaString() {
        assertThat(SourceRanges.allow(List.of("10.0.0.0/8, 127.0.0.0/8"), "127.0.0.1"))
                .isTrue();
        assertThat(SourceRanges.allow(List.of(), "127.0.0.1")).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "08:00:00, 18:00:00, 2026-01-05T08:00:00Z, 36000",
        "08:00:00, 18:00:00, 2026-01-05T17:59:59Z, 1",
        "08:00:00, 18:00:00, 2026-01-05T18:00:00Z, -1",
        "08:00:00, 18:00:00, 2026-01-05T07:59:59Z, -1",
        "22:00:00, 06:00:00, 2026-01-05T23:00:00Z, 25200",
        "22:00:00, 06:00:00, 2026-01-05T05:00:00Z, 3600",
        "22:00:00, 06:00:00, 2026-01-05T12:00:00Z, -1",
        "broken, 06:00:00, 2026-01-05T05:00:00Z, -1",
    })
    void connectsWithinTheTimesOfDay(String start, String end, Instant now, long seconds) {
        List<TimeWindows.Window> windows = List.of(new TimeWindows.Window(start, end));

        assertThat(TimeWindows.remaining(windows, "UTC", now)
                        .map(Duration::toSeconds)
                        .orElse(-1L))
                .isEqualTo(seconds);
    }

    @Test
    void timesAreThoseOfTheLocation() {
        List<TimeWindows.Window> windows = List.of(new TimeWindows.Window("08:00:00", "18:00:00"));
        Instant sevenInBerlin = Instant.parse("2026-01-05T06:30:00Z");

        assertThat(TimeWindows.remaining(windows, "Europe/Berlin", sevenInBerlin))
                .isEmpty();
        assertThat(TimeWindows.remaining(windows, "Asia/Tokyo", sevenInBerlin)).isPresent();
        assertThat(TimeWindows.remaining(windows, "Mars/Olympus", sevenInBerlin))
                .isEmpty();
        assertThat(TimeWindows.remaining(List.of(), null, sevenInBerlin)).contains(Duration.ZERO);
    }

    @Test
    void comparesPlainAndHashedSecrets() {
        String hash = "$2a"
                + BCrypt.withDefaults().hashToString(4, "s3cret".toCharArray()).substring(3);

        assertThat(Secrets.matches("s3cret", "s3cret")).isTrue();
        assertThat(Secrets.matches("s3cret", "s3cre")).isFalse();
        assertThat(Secrets.matches("s3cret", null)).isFalse();
        assertThat(Secrets.isHashed(hash)).isTrue();
        assertThat(Secrets.matches(hash, "s3cret")).isTrue();
        assertThat(Secrets.matches(hash, "wrong")).isFalse();
        assertThat(Secrets.matches(hash, hash)).isFalse();
    }

    @Test
    void hashedSecretsLookAtNoMoreThan72Bytes() {
        String base = "x".repeat(72);
        String hash = new String(
                BCrypt.withDefaults().hash(4, base.getBytes(StandardCharsets.UTF_8)), StandardCharsets.UTF_8);

        assertThat(Secrets.matches(hash, base + "more")).isTrue();
    }
}
