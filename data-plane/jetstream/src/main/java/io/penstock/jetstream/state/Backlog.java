package io.penstock.jetstream.state;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What the log brings for a stream that waits for a copy from another replica. Owned by the group's loop. */
final class Backlog {
    /** More than this is not kept: the repair begins anew. */
    private static final long MOST = 256L << 20;

    /** A record and where it stands in the log. */
    record Held(long index, int position, long now, byte[] bytes) {}

    private List<Held> records = new ArrayList<>();
    private long size;
    private boolean overflown;

    void hold(long index, int position, long now, byte[] bytes, int offset, int end) {
        size += end - offset;
        if (size > MOST) {
            overflown = true;
            records = new ArrayList<>();
        } else if (!overflown) {
            records.add(new Held(index, position, now, Arrays.copyOfRange(bytes, offset, end)));
        }
    }

    List<Held> records() {
        return records;
    }

    /** Whether some of it was dropped, so that a copy made before cannot be brought up to date. */
    boolean overflown() {
        return overflown;
    }

    void begin() {
        records = new ArrayList<>();
        size = 0;
        overflown = false;
    }
}
