package io.penstock.controlplane.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Base64;
import org.junit.jupiter.api.Test;

class CursorsTest {
    private final Cursors cursors = new Cursors(new byte[32]);

    @Test
    void opensWhatItSealed() {
        assertThat(cursors.open("/v1/x?{}#me", cursors.seal("/v1/x?{}#me", "proj_1")))
                .isEqualTo("proj_1");
    }

    @Test
    void refusesAnotherListAndEveryChangedByte() {
        String cursor = cursors.seal("list", "position");
        assertThatThrownBy(() -> cursors.open("other", cursor)).isInstanceOf(ProblemException.class);
        byte[] bytes = Base64.getUrlDecoder().decode(cursor);
        for (int i = 0; i < bytes.length; i++) {
            byte[] changed = bytes.clone();
            changed[i] ^= 1;
            String text = Base64.getUrlEncoder().withoutPadding().encodeToString(changed);
            assertThatThrownBy(() -> cursors.open("list", text)).isInstanceOf(ProblemException.class);
        }
        assertThatThrownBy(() -> cursors.open("list", "%%%")).isInstanceOf(ProblemException.class);
        assertThatThrownBy(() -> cursors.open("list", "")).isInstanceOf(ProblemException.class);
    }
}
