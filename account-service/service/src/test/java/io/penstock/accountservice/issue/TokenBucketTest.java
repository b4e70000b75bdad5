package io.penstock.accountservice.issue;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TokenBucketTest {
    @Test
    void givesAMinutesWorthAtOnceAndThenEvenly() {
        TokenBucket bucket = new TokenBucket(60, 0);
        for (int i = 0; i < 60; i++) {
            assertThat(bucket.take(0)).isZero();
        }
        assertThat(bucket.take(0)).isEqualTo(1);
        assertThat(bucket.take(1000)).isZero();
        assertThat(bucket.take(1000)).isPositive();
        assertThat(bucket.isFull(60_000)).isFalse();
        assertThat(bucket.isFull(61_000)).isTrue();
    }

    @Test
    void aClockThatGoesBackGivesNothingExtra() {
        TokenBucket bucket = new TokenBucket(1, 100_000);
        assertThat(bucket.take(100_000)).isZero();
        assertThat(bucket.take(0)).isPositive();
        assertThat(bucket.take(30_000)).isPositive();
    }
}
