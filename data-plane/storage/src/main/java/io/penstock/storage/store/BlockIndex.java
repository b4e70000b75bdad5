package io.penstock.storage.store;

import java.util.IdentityHashMap;

/**
 * Where the records of a block are, and their subjects: the file beside a sealed segment, and a part of the manifest
 * for the segment still written to.
 *
 * <pre>
 * int "PIDX", int version, long incarnation, long segment, int records, int subjects,
 * subjects x (int length, bytes),
 * records x (int position * 2 + 1 if there are headers, int number of the subject from 1, 0 when it is unknown),
 * int 1 and records x int distance from the first sequence, or int 0 when the sequences have no gap,
 * int CRC32C
 * </pre>
 *
 * @param names the subjects
 * @param subjectOf for each record the place of its subject in names, -1 when it is unknown
 * @param deltas null when the sequences have no gap
 */
record BlockIndex(int count, String[] names, int[] subjectOf, int[] positions, int[] deltas) {
    private static final int MAGIC = 0x58444950;
    private static final int VERSION = 1;

    /** Encodes the first records of a block's arrays, which the loop may go on adding to. */
    static byte[] encode(long incarnation, long segment, int count, Subject[] subjects, int[] positions, int[] deltas) {
        IdentityHashMap<Subject, Integer> numbers = new IdentityHashMap<>();
        Encoder names = new Encoder();
        Encoder records = new Encoder();
        for (int i = 0; i < count; i++) {
            Subject subject = subjects[i];
            int number = 0;
            if (subject != null) {
                Integer known = numbers.get(subject);
                if (known == null) {
                    known = numbers.size() + 1;
                    numbers.put(subject, known);
                    names.putString(subject.name);
                }
                number = known;
            }
            records.putInt(positions[i]).putInt(number);
        }
        Encoder all = new Encoder();
        all.putInt(MAGIC).putInt(VERSION).putLong(incarnation).putLong(segment);
        all.putInt(count).putInt(numbers.size());
        all.append(names).append(records);
        all.putInt(deltas == null ? 0 : 1);
        for (int i = 0; deltas != null && i < count; i++) {
            all.putInt(deltas[i]);
        }
        return all.sealed();
    }

    /** Decodes; null when it is damaged or of another block. */
    static BlockIndex decode(byte[] bytes, long incarnation, long segment, int count) {
        if (bytes.length < 36 || !Decoder.sound(bytes)) {
            return null;
        }
        Decoder in = new Decoder(bytes);
        if (in.getInt() != MAGIC
                || in.getInt() != VERSION
                || in.getLong() != incarnation
                || in.getLong() != segment
                || in.getInt() != count) {
            return null;
        }
        String[] names = new String[in.getInt()];
        for (int i = 0; i < names.length; i++) {
            names[i] = in.getString();
        }
        int[] positions = new int[count];
        int[] subjectOf = new int[count];
        for (int i = 0; i < count; i++) {
            positions[i] = in.getInt();
            subjectOf[i] = in.getInt() - 1;
        }
        int[] deltas = null;
        if (in.getInt() == 1) {
            deltas = new int[count];
            for (int i = 0; i < count; i++) {
                deltas[i] = in.getInt();
            }
        }
        return new BlockIndex(count, names, subjectOf, positions, deltas);
    }
}
