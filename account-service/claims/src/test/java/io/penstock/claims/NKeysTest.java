package io.penstock.claims;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.PublicKey;
import java.security.SecureRandom;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class NKeysTest {
    // A throw-away pair made by the reference tool.
    private static final String SEED = "SUAOHO5CJBPWWBUPSNGPAXJI3DR7F4VWBAPWW7LGXFA3HBUSPFNAEGRKZM";
    private static final String PUBLIC = "UBI4E2GBISPHPLHZ7XENMCPJAP7TEMKZT5WZZZH4PNO4AFWBXVCPIJO4";

    private final SecureRandom random = new SecureRandom();

    @Test
    void derivesThePublicKeyTheReferenceToolDerives() {
        try (NKeyPair pair = NKeyPair.fromSeed(SEED.getBytes(US_ASCII))) {
            assertThat(pair.publicKey()).isEqualTo(PUBLIC);
            assertThat(pair.type()).isEqualTo(KeyType.USER);
            assertThat(new String(pair.seed(), US_ASCII)).isEqualTo(SEED);
        }
        try (NKeyPair pair = NKeyPair.fromSeed(SEED.toCharArray())) {
            assertThat(pair.publicKey()).isEqualTo(PUBLIC);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = KeyType.class,
            names = {"CURVE"},
            mode = EnumSource.Mode.EXCLUDE)
    void signsAndVerifiesWithEveryType(KeyType type) {
        byte[] data = "nonce".getBytes(US_ASCII);
        try (NKeyPair pair = NKeyPair.generate(type, random)) {
            assertThat(pair.publicKey()).hasSize(56).startsWith(String.valueOf(type.letter()));
            assertThat(new String(pair.seed(), US_ASCII)).hasSize(58).startsWith("S" + type.letter());
            byte[] signature = pair.sign(data);
            assertThat(NKeyVerifier.verify(pair.publicKey(), data, signature)).isTrue();
            signature[5] ^= 1;
            assertThat(NKeyVerifier.verify(pair.publicKey(), data, signature)).isFalse();
        }
    }

    @Test
    void refusesEverySingleDamagedCharacter() {
        for (int i = 0; i < PUBLIC.length(); i++) {
            char other = PUBLIC.charAt(i) == 'A' ? 'B' : 'A';
            String damaged = PUBLIC.substring(0, i) + other + PUBLIC.substring(i + 1);
            assertThat(NKeys.isPublicKey(damaged)).as("damaged at %d", i).isFalse();
        }
        for (int i = 0; i < SEED.length(); i++) {
            char other = SEED.charAt(i) == 'A' ? 'B' : 'A';
            byte[] damaged = (SEED.substring(0, i) + other + SEED.substring(i + 1)).getBytes(US_ASCII);
            assertThatThrownBy(() -> NKeyPair.fromSeed(damaged))
                    .as("damaged at %d", i)
                    .isInstanceOf(NKeyException.class);
        }
    }

    @Test
    void refusesLowerCaseWrongLengthAndForeignText() {
        assertThat(NKeys.isPublicKey(PUBLIC.toLowerCase(Locale.ROOT))).isFalse();
        assertThat(NKeys.isPublicKey(PUBLIC + "A")).isFalse();
        assertThat(NKeys.isPublicKey(SEED)).isFalse();
        assertThat(NKeys.isPublicKey("")).isFalse();
        assertThat(NKeys.isPublicKey((String) null)).isFalse();
        assertThat(NKeys.isPublicKey("é".repeat(56))).isFalse();
        assertThat(NKeys.isPublicKey(KeyType.ACCOUNT, PUBLIC)).isFalse();
        assertThat(NKeys.isPublicKey(KeyType.USER, PUBLIC)).isTrue();
    }

    @Test
    void neverShowsASeedInMessages() {
        String damaged = SEED.substring(0, 57) + "7";
        assertThatThrownBy(() -> NKeyPair.fromSeed(damaged.getBytes(US_ASCII)))
                .satisfies(e -> assertThat(e.toString()).doesNotContain(damaged.substring(10, 40)));
        try (NKeyPair pair = NKeyPair.fromSeed(SEED.getBytes(US_ASCII))) {
            assertThat(pair.toString()).contains(PUBLIC).doesNotContain(SEED);
        }
    }

    @Test
    void aClosedPairIsWipedAndRefusesToSign() {
        NKeyPair pair = NKeyPair.generate(KeyType.ACCOUNT, random);
        pair.close();
        assertThatThrownBy(() -> pair.sign(new byte[1])).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(pair::seed).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void curveKeysAreReadButDoNotSign() {
        byte[] raw = new byte[32];
        random.nextBytes(raw);
        String curve = NKeys.encodePublicKey(KeyType.CURVE, raw);
        assertThat(NKeys.typeOf(curve)).isEqualTo(KeyType.CURVE);
        assertThat(NKeys.rawPublicKey(curve)).isEqualTo(raw);
        assertThat(NKeyVerifier.verify(curve, raw, new byte[64])).isFalse();
        assertThatThrownBy(() -> NKeyPair.fromSeed(NKeys.encodeSeed(KeyType.CURVE, raw)))
                .isInstanceOf(NKeyException.class);
    }

    @Test
    void decodedKeysStayBoundedAndThoseInUseStay() throws Exception {
        PublicKeyCache cache = new PublicKeyCache(4);
        try (NKeyPair pair = NKeyPair.generate(KeyType.USER, random)) {
            PublicKey key = Ed25519Keys.publicKey(NKeys.rawPublicKey(pair.publicKey()));
            cache.put("used", key);
            for (int i = 0; i < 100; i++) {
                cache.put("other " + i, key);
                assertThat(cache.get("used")).as("after %d others", i).isSameAs(key);
                assertThat(cache.size()).isLessThanOrEqualTo(8);
            }
            assertThat(cache.get("other 1")).isNull();
        }
    }
}
