package io.penstock.jetstream.state;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;

/**
 * Message ids seen within a window of time, with the sequence each was stored at. Ids outlive their messages: purging
 * does not make an id new.
 */
final class DedupeWindow {
    private record Seen(String id, long sequence, long at) {}

    private final Map<String, Seen> byId = new HashMap<>();
    private final ArrayDeque<Seen> byAge = new ArrayDeque<>();

    /** The sequence this id was stored at within the window, 0 when it is new. */
    long find(String id, long now, long window) {
        forget(now, window);
        Seen seen = byId.get(id);
        return seen == null ? 0 : seen.sequence;
    }

    void add(String id, long sequence, long now) {
        Seen seen = new Seen(id, sequence, now);
        byId.put(id, seen);
        byAge.add(seen);
    }

    private void forget(long now, long window) {
        for (Seen oldest = byAge.peek(); oldest != null && now - oldest.at >= window; oldest = byAge.peek()) {
            byAge.remove();
            // An id that was stored again later has a younger entry.
            byId.remove(oldest.id, oldest);
        }
    }

    int size() {
        return byId.size();
    }

    void encode(ByteWriter out) {
        out.varint(byAge.size());
        long at = 0;
        for (Seen seen : byAge) {
            out.text(seen.id).varint(seen.sequence).varint(seen.at - at);
            at = seen.at;
        }
    }

    void decode(ByteReader in) {
        long count = in.varint();
        long at = 0;
        for (long i = 0; i < count; i++) {
            String id = in.text();
            long sequence = in.varint();
            at += in.varint();
            add(id, sequence, at);
        }
    }
}
