package io.penstock.consensus.raft;

import com.alipay.sofa.jraft.entity.EnumOutter.EntryType;
import com.alipay.sofa.jraft.entity.LogEntry;
import com.alipay.sofa.jraft.entity.LogId;
import com.alipay.sofa.jraft.entity.PeerId;
import io.penstock.storage.journal.JournalEntry;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The engine's entries as the journal's. Data entries end in a trailer: time (8 bytes) and flags (1 byte); the state
 * machine's bytes come first, so that they are handed on without a copy. Entries of members are text: four lists,
 * divided by {@code ;}.
 */
final class EntryCodec {
    static final int TRAILER = Long.BYTES + 1;
    private static final int ASYNC = 1;
    private static final int NOTHING = 2;

    private EntryCodec() {}

    /** The data of an entry: what the state machine proposes, and the trailer. */
    static byte[] data(byte[] bytes, int length, long timestampNanos, boolean async) {
        byte[] data = new byte[length + TRAILER];
        System.arraycopy(bytes, 0, data, 0, length);
        ByteBuffer.wrap(data, length, TRAILER).putLong(timestampNanos).put((byte) (async ? ASYNC : 0));
        return data;
    }

    /** An entry that says nothing to the state machine. */
    static byte[] nothing() {
        byte[] data = new byte[TRAILER];
        data[TRAILER - 1] = NOTHING;
        return data;
    }

    static boolean saysNothing(byte[] data, int dataLength) {
        return (data[dataLength - 1] & NOTHING) != 0;
    }

    static long timestamp(byte[] data, int dataLength) {
        return ByteBuffer.wrap(data).getLong(dataLength - TRAILER);
    }

    static boolean async(LogEntry entry) {
        ByteBuffer data = entry.getData();
        return entry.getType() == EntryType.ENTRY_TYPE_DATA
                && data.remaining() >= TRAILER
                && (data.get(data.limit() - 1) & ASYNC) != 0;
    }

    /** The array behind a buffer when it begins with the buffer, else a copy. */
    static byte[] bytes(ByteBuffer buffer) {
        if (buffer.hasArray() && buffer.arrayOffset() + buffer.position() == 0) {
            return buffer.array();
        }
        byte[] copy = new byte[buffer.remaining()];
        buffer.duplicate().get(copy);
        return copy;
    }

    static JournalEntry toJournal(LogEntry entry) {
        byte[] payload;
        int length;
        if (entry.getType() == EntryType.ENTRY_TYPE_CONFIGURATION) {
            payload = members(entry).getBytes(StandardCharsets.UTF_8);
            length = payload.length;
        } else {
            payload = bytes(entry.getData());
            length = entry.getData().remaining();
        }
        LogId id = entry.getId();
        return new JournalEntry(
                id.getIndex(), id.getTerm(), (byte) entry.getType().getNumber(), 0, payload, length);
    }

    static LogEntry fromJournal(JournalEntry stored) {
        LogEntry entry = new LogEntry(EntryType.forNumber(stored.type()));
        entry.setId(new LogId(stored.index(), stored.term()));
        if (entry.getType() == EntryType.ENTRY_TYPE_CONFIGURATION) {
            String[] lists = new String(stored.payload(), 0, stored.length(), StandardCharsets.UTF_8).split(";", -1);
            entry.setPeers(parse(lists[0]));
            entry.setOldPeers(parse(lists[1]));
            entry.setLearners(parse(lists[2]));
            entry.setOldLearners(parse(lists[3]));
        } else {
            entry.setData(ByteBuffer.wrap(stored.payload(), 0, stored.length()));
        }
        return entry;
    }

    private static String members(LogEntry entry) {
        return join(entry.getPeers()) + ";" + join(entry.getOldPeers()) + ";" + join(entry.getLearners()) + ";"
                + join(entry.getOldLearners());
    }

    private static String join(List<PeerId> peers) {
        return peers == null
                ? ""
                : String.join(",", peers.stream().map(PeerId::toString).toList());
    }

    private static List<PeerId> parse(String list) {
        if (list.isEmpty()) {
            return null;
        }
        List<PeerId> peers = new ArrayList<>();
        for (String peer : list.split(",")) {
            peers.add(PeerId.parsePeer(peer));
        }
        return peers;
    }
}
