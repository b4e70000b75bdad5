package io.penstock.storage.disk;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * What stands in front of an encrypted file, big-endian: eight bytes of format, the cipher, seven bytes of zero, which key,
 * the salt of the file's own key, four bytes of zero, CRC-32C of all before it.
 *
 * @param key names the key the file's own is derived from
 * @param salt drawn for this file when it was begun
 */
record FileHeader(StoreCipher cipher, byte[] key, byte[] salt) {
    static final int BYTES = 64;
    private static final byte[] FORMAT = "pnstkec1".getBytes(StandardCharsets.US_ASCII);
    private static final int CIPHER = 8;
    private static final int KEY = 16;
    private static final int SALT = KEY + StoreKeys.ID_BYTES;
    private static final int CHECKSUM = BYTES - Integer.BYTES;

    ByteBuffer encode() {
        ByteBuffer out = ByteBuffer.allocate(BYTES);
        out.put(0, FORMAT);
        out.put(CIPHER, (byte) cipher.code());
        out.put(KEY, key);
        out.put(SALT, salt);
        out.putInt(CHECKSUM, checksum(out));
        return out;
    }

    /** The header in these bytes; null when there is none. */
    static FileHeader decode(ByteBuffer in) {
        byte[] format = new byte[FORMAT.length];
        in.get(0, format);
        StoreCipher cipher = StoreCipher.of(in.get(CIPHER));
        if (!Arrays.equals(format, FORMAT) || in.getInt(CHECKSUM) != checksum(in) || cipher == null) {
            return null;
        }
        byte[] key = new byte[StoreKeys.ID_BYTES];
        in.get(KEY, key);
        byte[] salt = new byte[StoreKeys.SALT_BYTES];
        in.get(SALT, salt);
        return new FileHeader(cipher, key, salt);
    }

    private static int checksum(ByteBuffer header) {
        CRC32C crc = new CRC32C();
        crc.update(header.duplicate().clear().limit(CHECKSUM));
        return (int) crc.getValue();
    }
}
