package io.penstock.claims;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class CredentialsFileTest {
    private static final String TOKEN = "aaa.bbb.ccc";
    private static final byte[] SEED = "SUAOHO5CJBPWWBUPSNGPAXJI3DR7F4VWBAPWW7LGXFA3HBUSPFNAEGRKZM".getBytes(US_ASCII);

    @Test
    void readsWhatItWrites() throws Exception {
        byte[] file = CredentialsFile.write(TOKEN, SEED);
        CredentialsFile read = CredentialsFile.parse(file);
        assertThat(read.jwt()).isEqualTo(TOKEN);
        assertThat(read.seed()).isEqualTo(SEED);
        assertThat(new String(file, US_ASCII))
                .startsWith("-----BEGIN NATS USER JWT-----\naaa.bbb.ccc\n------END NATS USER JWT------\n\n***");
    }

    @Test
    void readsWindowsLineEndsMissingSeedsAndBareTokens() throws Exception {
        String windows = new String(CredentialsFile.write(TOKEN, SEED), US_ASCII).replace("\n", "\r\n");
        assertThat(CredentialsFile.parse(windows.getBytes(US_ASCII)).seed()).isEqualTo(SEED);
        assertThat(CredentialsFile.parse(CredentialsFile.write(TOKEN, new byte[0]))
                        .seed())
                .isEmpty();
        assertThat(CredentialsFile.parse((TOKEN + "\n").getBytes(US_ASCII)).jwt())
                .isEqualTo(TOKEN);
    }

    @Test
    void refusesOtherFilesAndNeverPrintsTheSeed() throws Exception {
        assertThatThrownBy(() -> CredentialsFile.parse("hello\n".getBytes(US_ASCII)))
                .isInstanceOf(InvalidTokenException.class);
        assertThatThrownBy(() -> CredentialsFile.parse(new byte[0])).isInstanceOf(InvalidTokenException.class);
        assertThat(CredentialsFile.parse(CredentialsFile.write(TOKEN, SEED)).toString())
                .doesNotContain(new String(SEED, US_ASCII));
    }
}
