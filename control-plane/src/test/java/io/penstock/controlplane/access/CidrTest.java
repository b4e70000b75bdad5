package io.penstock.controlplane.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

class CidrTest {
    @Test
    void networksContainTheirAddresses() {
        assertThat(Cidr.parse("203.0.113.0/24").contains("203.0.113.255")).isTrue();
        assertThat(Cidr.parse("203.0.113.0/24").contains("203.0.114.0")).isFalse();
        assertThat(Cidr.parse("203.0.113.7").contains("203.0.113.7")).isTrue();
        assertThat(Cidr.parse("203.0.113.7").contains("203.0.113.8")).isFalse();
        assertThat(Cidr.parse("0.0.0.0/0").contains("8.8.8.8")).isTrue();
        assertThat(Cidr.parse("0.0.0.0/0").contains("2001:db8::1")).isFalse();
        assertThat(Cidr.parse("2001:db8::/32").contains("2001:db8:ffff::1")).isTrue();
        assertThat(Cidr.parse("2001:db8::/32").contains("2001:db9::1")).isFalse();
        assertThat(Cidr.parse("10.0.0.0/8").contains("::ffff:10.1.2.3")).isTrue();
        assertThat(Cidr.parse("10.0.0.0/8").contains(null)).isFalse();
        assertThat(Cidr.parse("10.0.0.0/8").contains("localhost")).isFalse();
    }

    @Test
    void whatIsNoNetworkIsRefused() {
        for (String text : List.of(
                "",
                "/",
                "10",
                "10.0.0/8",
                "10.0.0.0/33",
                "10.0.0.0/-1",
                "10.0.0.0/8/8",
                "10.0.0.1/8",
                "example.com",
                "2001:db8::/129",
                "2001:db8::1/32",
                "256.0.0.0/8",
                "10.0.0.0/",
                "fe80::1%eth0",
                "10.0.0.0/ 8")) {
            assertThatIllegalArgumentException().as(text).isThrownBy(() -> Cidr.parse(text));
        }
    }
}
