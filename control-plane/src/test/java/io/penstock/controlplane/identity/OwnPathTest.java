package io.penstock.controlplane.identity;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class OwnPathTest {
    @Test
    void pathsOfThisOriginPassAndNothingElse() {
        for (String own : List.of("/", "/streams/ORDERS?tab=config#top")) {
            assertThat(AuthResource.ownPath(own)).isEqualTo(own);
        }
        for (String foreign : List.of(
                "//evil.test", "/\\evil.test", "https://evil.test", "javascript:alert(1)", "", "/a\r\nX: y", "/a b")) {
            assertThat(AuthResource.ownPath(foreign)).as(foreign).isEqualTo("/");
        }
        assertThat(AuthResource.ownPath(null)).isEqualTo("/");
    }
}
