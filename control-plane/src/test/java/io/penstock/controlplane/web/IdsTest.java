package io.penstock.controlplane.web;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class IdsTest {
    @Test
    void idsSortByTime() {
        byte[] most = new byte[10];
        java.util.Arrays.fill(most, (byte) 0xff);
        assertThat(Ids.ulid(1_000, most)).isLessThan(Ids.ulid(1_001, new byte[10]));
        assertThat(Ids.ulid(0, new byte[10])).isEqualTo("0".repeat(26));
        assertThat(Ids.ulid((1L << 48) - 1, most)).isEqualTo("7" + "Z".repeat(25));
    }
}
