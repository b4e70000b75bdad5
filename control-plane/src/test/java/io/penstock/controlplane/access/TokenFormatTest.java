package io.penstock.controlplane.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.SecureRandom;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TokenFormatTest {
    private final SecureRandom random = new SecureRandom();

    @Test
    void tokensHaveTheirShapeAndAreDifferent() {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < 1000; i++) {
            String token = TokenFormat.make(TokenFormat.Kind.SERVICE_ACCOUNT, random);
            assertThat(token).matches("pst_sat_[0-9A-Za-z]{32}_[0-9A-Za-z]{6}");
            assertThat(TokenFormat.hashOf(token)).contains(TokenFormat.hash(token));
            assertThat(seen.add(token)).isTrue();
        }
        assertThat(TokenFormat.make(TokenFormat.Kind.PERSONAL, random)).startsWith("pst_pat_");
    }

    @Test
    void everyCutAndEveryOneCharacterTypoIsFoundWithoutALookUp() {
        String token = TokenFormat.make(TokenFormat.Kind.PERSONAL, random);
        for (int cut = 0; cut < token.length(); cut++) {
            assertThat(TokenFormat.hashOf(token.substring(0, cut))).isEmpty();
        }
        for (int at = 0; at < token.length(); at++) {
            char other = token.charAt(at) == 'x' ? 'y' : 'x';
            assertThat(TokenFormat.hashOf(token.substring(0, at) + other + token.substring(at + 1)))
                    .as("position " + at)
                    .isEmpty();
        }
        assertThat(TokenFormat.hashOf(token + " ")).isEmpty();
        assertThat(TokenFormat.hashOf(token + token)).isEmpty();
        assertThat(TokenFormat.hashOf("")).isEmpty();
    }
}
