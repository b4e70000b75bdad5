package io.penstock.claims;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Text forms of nkeys.
 *
 * <pre>
 * public key   prefix(1) key(32) crc16-le(2)             base32, 56 characters
 * seed         0x90|type>>5 (1)  type<<3 (1) seed(32) crc16-le(2)   base32, 58 characters
 * </pre>
 */
public final class NKeys {
    /** Length of the text of a public key. */
    public static final int PUBLIC_KEY_LENGTH = 56;
    /** Length of the text of a seed. */
    public static final int SEED_LENGTH = 58;
    /** Length of a raw key or raw seed in bytes. */
    public static final int RAW_LENGTH = 32;

    private static final int SEED_PREFIX = 18 << 3;

    private NKeys() {}

    /** Whether the text is a well-formed public key of this type. */
    public static boolean isPublicKey(KeyType type, String text) {
        byte[] data = checked(text);
        return data != null && (data[0] & 0xff) == type.prefix();
    }

    /** Whether the text is a well-formed public key of any type. */
    public static boolean isPublicKey(String text) {
        byte[] data = checked(text);
        return data != null && KeyType.ofPrefix(data[0] & 0xff) != null;
    }

    /** The type of a public key. Throws {@link NKeyException} for anything else. */
    public static KeyType typeOf(String publicKey) {
        return KeyType.ofPrefix(required(publicKey)[0] & 0xff);
    }

    /** The raw 32 bytes of a public key. Throws {@link NKeyException} for anything else. */
    public static byte[] rawPublicKey(String publicKey) {
        return Arrays.copyOfRange(required(publicKey), 1, 1 + RAW_LENGTH);
    }

    /** The text of a raw public key. */
    public static String encodePublicKey(KeyType type, byte[] raw) {
        requireRaw(raw);
        byte[] data = new byte[1 + RAW_LENGTH + 2];
        data[0] = (byte) type.prefix();
        System.arraycopy(raw, 0, data, 1, RAW_LENGTH);
        return new String(Base32.encode(withCrc(data)), StandardCharsets.US_ASCII);
    }

    /** The text of a raw seed as ASCII bytes; the caller wipes them. */
    public static byte[] encodeSeed(KeyType type, byte[] raw) {
        requireRaw(raw);
        byte[] data = new byte[2 + RAW_LENGTH + 2];
        data[0] = (byte) (SEED_PREFIX | (type.prefix() >> 5));
        data[1] = (byte) ((type.prefix() & 31) << 3);
        System.arraycopy(raw, 0, data, 2, RAW_LENGTH);
        byte[] text = Base32.encode(withCrc(data));
        Arrays.fill(data, (byte) 0);
        return text;
    }

    /** The type a seed's text announces. Throws {@link NKeyException} when it is no seed. */
    public static KeyType seedType(byte[] seedText) {
        byte[] data = decodedSeed(seedText);
        try {
            return seedTypeOf(data);
        } finally {
            Arrays.fill(data, (byte) 0);
        }
    }

    /** The raw 32 bytes of a seed's text; the caller wipes them. Throws {@link NKeyException} when it is no seed. */
    public static byte[] rawSeed(byte[] seedText) {
        byte[] data = decodedSeed(seedText);
        try {
            return Arrays.copyOfRange(data, 2, 2 + RAW_LENGTH);
        } finally {
            Arrays.fill(data, (byte) 0);
        }
    }

    private static byte[] decodedSeed(byte[] text) {
        byte[] data = text.length == SEED_LENGTH ? Base32.decode(text) : null;
        if (data == null || !crcMatches(data) || (data[0] & 0xf8) != SEED_PREFIX || seedTypeOf(data) == null) {
            throw new NKeyException("not an nkey seed: expected 58 base32 characters starting with S");
        }
        return data;
    }

    private static KeyType seedTypeOf(byte[] data) {
        return KeyType.ofPrefix(((data[0] & 7) << 5) | ((data[1] & 0xf8) >> 3));
    }

    private static byte[] required(String publicKey) {
        byte[] data = checked(publicKey);
        if (data == null || KeyType.ofPrefix(data[0] & 0xff) == null) {
            throw new NKeyException("not a public nkey: expected 56 base32 characters with a valid checksum");
        }
        return data;
    }

    private static byte[] checked(String text) {
        if (text == null || text.length() != PUBLIC_KEY_LENGTH) {
            return null;
        }
        byte[] data = Base32.decode(text.getBytes(StandardCharsets.ISO_8859_1));
        return data != null && crcMatches(data) ? data : null;
    }

    private static byte[] withCrc(byte[] data) {
        int crc = Crc16.of(data, data.length - 2);
        data[data.length - 2] = (byte) crc;
        data[data.length - 1] = (byte) (crc >> 8);
        return data;
    }

    private static boolean crcMatches(byte[] data) {
        int stored = (data[data.length - 2] & 0xff) | ((data[data.length - 1] & 0xff) << 8);
        return stored == Crc16.of(data, data.length - 2);
    }

    private static void requireRaw(byte[] raw) {
        if (raw.length != RAW_LENGTH) {
            throw new NKeyException("a raw key has 32 bytes, this one has " + raw.length);
        }
    }
}
