package io.penstock.claims;

/** CRC-16/XMODEM: polynomial 0x1021, initial value 0, no reflection. */
final class Crc16 {
    private static final int[] TABLE = new int[256];

    static {
        for (int i = 0; i < 256; i++) {
            int crc = i << 8;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc & 0x8000) != 0 ? (crc << 1) ^ 0x1021 : crc << 1;
            }
            TABLE[i] = crc & 0xffff;
        }
    }

    private Crc16() {}

    static int of(byte[] data, int length) {
        int crc = 0;
        for (int i = 0; i < length; i++) {
            crc = ((crc << 8) & 0xffff) ^ TABLE[((crc >> 8) ^ data[i]) & 0xff];
        }
        return crc;
    }
}
