package io.penstock.storage.journal;

import io.penstock.storage.disk.DiskFile;
import java.nio.file.Path;

/** One file of the journal. */
final class Segment {
    static final String SUFFIX = ".journal";
    static final String SPARE_SUFFIX = ".spare";

    /** Of a segment whose first frames are not on disk yet. */
    static final String OPENING_SUFFIX = ".opening";

    /** Of a file that is being prepared for the next segment, or was. */
    static final String PREPARED_SUFFIX = ".prepared";

    final long number;
    final Path path;
    final DiskFile file;

    /** Bytes that count; the file may be longer when it was recycled. Written by the journal's thread. */
    volatile long end;

    Segment(long number, Path path, DiskFile file) {
        this.number = number;
        this.path = path;
        this.file = file;
    }

    static String name(long number) {
        return String.format("%016x%s", number, SUFFIX);
    }

    static String spareName(long number) {
        return String.format("%016x%s", number, SPARE_SUFFIX);
    }

    static String openingName(long number) {
        return String.format("%016x%s", number, OPENING_SUFFIX);
    }

    static String preparedName(long number) {
        return String.format("%016x%s", number, PREPARED_SUFFIX);
    }

    /** The number in a file's name, -1 when it is none of ours. */
    static long number(String name, String suffix) {
        if (name.length() != 16 + suffix.length() || !name.endsWith(suffix)) {
            return -1;
        }
        try {
            return Long.parseLong(name, 0, 16, 16);
        } catch (NumberFormatException e) {
            return -1;
        }
    }
}
