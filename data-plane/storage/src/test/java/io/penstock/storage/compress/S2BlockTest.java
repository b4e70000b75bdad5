package io.penstock.storage.compress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class S2BlockTest {
    private static final int MOST = 64 << 10;

    /** Text of few words, runs of one byte, noise: as the dice fall. */
    private static byte[] content(Random random) {
        byte[] bytes = new byte[1 + random.nextInt(random.nextInt(20) == 0 ? MOST : 3000)];
        for (int at = 0; at < bytes.length; ) {
            int length = Math.min(bytes.length - at, 1 + random.nextInt(200));
            int style = random.nextInt(3);
            for (int i = at; i < at + length; i++) {
                bytes[i] = (byte)
                        switch (style) {
                            case 0 -> random.nextInt();
                            case 1 -> 'x';
                            default -> at > 0 ? bytes[i % at] : 'a';
                        };
            }
            at += length;
        }
        return bytes;
    }

    @Test
    void whatIsEncodedComesBack() throws IOException {
        S2Encoder encoder = new S2Encoder();
        byte[] target = new byte[MOST];
        for (long seed = 0; seed < 2000; seed++) {
            byte[] plain = content(new Random(seed));
            byte[] framed = new byte[plain.length + 6];
            System.arraycopy(plain, 0, framed, 3, plain.length);
            int packed = encoder.encode(framed, 3, plain.length);
            assertThat(S2Block.decode(encoder.bytes(), 0, packed, target))
                    .as("seed %d", seed)
                    .isEqualTo(plain.length);
            assertThat(Arrays.copyOf(target, plain.length)).as("seed %d", seed).isEqualTo(plain);
            assertThat(S2Block.decode(encoder.bytes(), 0, packed, MOST)).isEqualTo(plain);
        }
    }

    @Test
    void damageIsToldOrDecodedWithinBounds() throws IOException {
        S2Encoder encoder = new S2Encoder();
        for (long seed = 0; seed < 2000; seed++) {
            Random random = new Random(seed);
            byte[] plain = content(random);
            int packed = encoder.encode(plain, 0, plain.length);
            byte[] hit = Arrays.copyOf(encoder.bytes(), packed);
            hit[random.nextInt(packed)] ^= (byte) (1 << random.nextInt(8));
            byte[] target = new byte[plain.length];
            try {
                assertThat(S2Block.decode(hit, 0, packed, target)).isLessThanOrEqualTo(plain.length);
            } catch (S2Exception e) {
                assertThat(e).hasMessageContaining("block");
            }
        }
    }

    @Test
    void aBlockOfMoreThanFitsIsRefused() throws IOException {
        S2Encoder encoder = new S2Encoder();
        int packed = encoder.encode(new byte[1000], 0, 1000);
        assertThatThrownBy(() -> S2Block.decode(encoder.bytes(), 0, packed, new byte[999]))
                .isInstanceOf(S2Exception.class)
                .hasMessageContaining("1000");
    }
}
