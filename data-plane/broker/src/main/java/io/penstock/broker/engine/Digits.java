package io.penstock.broker.engine;

/** Decimal digits of sizes. */
final class Digits {
    private Digits() {}

    /** Writes a number of at least 0; gives the position behind it. */
    static int write(byte[] out, int at, int value) {
        int digits = count(value);
        int rest = value;
        for (int i = at + digits - 1; i >= at; i--) {
            int next = rest / 10;
            out[i] = (byte) ('0' + rest - next * 10);
            rest = next;
        }
        return at + digits;
    }

    private static int count(int value) {
        int digits = 1;
        for (int rest = value; rest >= 10; rest /= 10) {
            digits++;
        }
        return digits;
    }
}
