package io.penstock.protocol;

/** The hash of subject bytes that caches are keyed by, computable byte for byte while a line is scanned. */
public final class SubjectHash {
    private SubjectHash() {}

    public static int of(byte[] bytes, int offset, int length) {
        int hash = 0;
        for (int i = 0; i < length; i++) {
            hash = extend(hash, bytes[offset + i]);
        }
        return hash;
    }

    static int extend(int hash, byte next) {
        return hash * 31 + next;
    }

    /** Spreads a hash over the low bits. */
    static int mix(int hash) {
        int h = hash * 0x9E3779B9;
        return h ^ (h >>> 16);
    }
}
