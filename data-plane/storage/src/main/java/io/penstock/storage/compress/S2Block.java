package io.penstock.storage.compress;

/**
 * Decodes one compressed block: Snappy's format, and S2's additions to it (a copy with offset 0 repeats the offset before
 * it, with longer lengths).
 */
public final class S2Block {
    private static final String DAMAGED = "a compressed block is damaged";

    private final byte[] source;
    private final int end;
    private int at;
    private byte[] target;
    private int length;

    /** Bytes the block comes to. */
    private int most;

    private int offset = 1;

    private S2Block(byte[] source, int from, int end) {
        this.source = source;
        this.at = from;
        this.end = end;
    }

    /**
     * Decodes into an array made for it.
     *
     * @param most bytes a block may come to; one that says it has more is refused before anything is allocated
     */
    public static byte[] decode(byte[] source, int from, int end, int most) throws S2Exception {
        S2Block block = new S2Block(source, from, end);
        int size = block.size(most);
        block.run(new byte[size], size);
        return block.target;
    }

    /** Decodes into {@code target}; answers how many bytes. A block of more bytes than fit is refused. */
    public static int decode(byte[] source, int from, int end, byte[] target) throws S2Exception {
        S2Block block = new S2Block(source, from, end);
        int size = block.size(target.length);
        block.run(target, size);
        return size;
    }

    private void run(byte[] into, int size) throws S2Exception {
        target = into;
        most = size;
        while (at < end) {
            int tag = source[at++] & 0xff;
            switch (tag & 3) {
                case 0 -> literal(tag >>> 2);
                case 1 -> nearCopy(tag);
                case 2 -> copy(1 + (tag >>> 2), number(2));
                default -> copy(1 + (tag >>> 2), number(4));
            }
        }
        if (length != size) {
            throw new S2Exception(DAMAGED + ": it says " + size + " bytes and has " + length);
        }
    }

    private int size(int bound) throws S2Exception {
        long size = 0;
        for (int shift = 0; shift < 35; shift += 7) {
            int next = number(1);
            size |= (long) (next & 0x7f) << shift;
            if (next < 0x80) {
                if (size > bound) {
                    throw new S2Exception("a compressed block says " + size + " bytes; the most is " + bound);
                }
                return (int) size;
            }
        }
        throw new S2Exception(DAMAGED);
    }

    private int number(int bytes) throws S2Exception {
        if (end - at < bytes) {
            throw new S2Exception(DAMAGED);
        }
        int value = 0;
        for (int i = 0; i < bytes; i++) {
            value |= (source[at++] & 0xff) << (8 * i);
        }
        return value;
    }

    private void literal(int short6) throws S2Exception {
        int count = short6 < 60 ? short6 : number(short6 - 59);
        // 32-bit lengths come out negative.
        if (count < 0 || count >= end - at || count >= most - length) {
            throw new S2Exception(DAMAGED);
        }
        System.arraycopy(source, at, target, length, count + 1);
        at += count + 1;
        length += count + 1;
    }

    private void nearCopy(int tag) throws S2Exception {
        int count = (tag >>> 2) & 7;
        int distance = (tag & 0xe0) << 3 | number(1);
        if (distance != 0) {
            copy(count + 4, distance);
            return;
        }
        int repeat = switch (count) {
            case 5 -> number(1) + 4;
            case 6 -> number(2) + (1 << 8);
            case 7 -> number(3) + (1 << 16);
            default -> count;
        };
        copy(repeat + 4, offset);
    }

    private void copy(int count, int distance) throws S2Exception {
        if (distance <= 0 || distance > length || count > most - length) {
            throw new S2Exception(DAMAGED);
        }
        offset = distance;
        // One by one where source and target overlap: what was just copied is copied again.
        if (distance >= count) {
            System.arraycopy(target, length - distance, target, length, count);
            length += count;
            return;
        }
        for (int i = 0; i < count; i++) {
            target[length] = target[length - distance];
            length++;
        }
    }
}
