package io.penstock.server;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;

/** Frames of a peer link and of a journal, found by their checksums in what a process read and wrote. */
final class TestingFrames {
    /** Kinds of the engine's messages. */
    static final int APPEND = 1;

    static final int VOTE = 3;
    static final int VOTED = 4;

    /** Kinds of a journal's frames. */
    static final int JOURNAL_PREFIX = 5;

    static final int JOURNAL_VOTE = 7;

    private static final int LINK_PREFIX = 8;
    private static final int LINK_HEADER = 10;
    private static final int LINK_REQUEST = 5;
    private static final int LINK_REPLY = 7;
    private static final int JOURNAL_HEADER = 56;

    /** @param payload of the engine's channel: a byte that tells the kind, then the message */
    record LinkFrame(int type, long id, byte[] payload) {
        boolean isRequest() {
            return type == LINK_REQUEST;
        }

        boolean isReply() {
            return type == LINK_REPLY;
        }

        int kind() {
            return payload.length == 0 ? -1 : payload[0];
        }

        byte[] message() {
            return Arrays.copyOfRange(payload, 1, payload.length);
        }
    }

    /** @param payload a character for each byte */
    record JournalFrame(int kind, int group, long term, String payload) {}

    private TestingFrames() {}

    /** @param text a character for each byte, of a call that may begin and end within a frame */
    static List<LinkFrame> ofLink(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        List<LinkFrame> frames = new ArrayList<>();
        int at = 0;
        while (at + LINK_PREFIX + LINK_HEADER <= bytes.length) {
            int length = buffer.getInt(at);
            int start = at + LINK_PREFIX;
            if (length < LINK_HEADER
                    || length > bytes.length - start
                    || checksum(bytes, start, length) != buffer.getInt(at + 4)) {
                at++;
                continue;
            }
            int payload = start + LINK_HEADER + (bytes[start + 9] & 0xff);
            at = start + length;
            frames.add(new LinkFrame(bytes[start], buffer.getLong(start + 1), Arrays.copyOfRange(bytes, payload, at)));
        }
        return frames;
    }

    /** @param text a character for each byte; a frame that is not there as a whole is passed over */
    static List<JournalFrame> ofJournal(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        List<JournalFrame> frames = new ArrayList<>();
        int at = 0;
        while (at + JOURNAL_HEADER <= bytes.length) {
            int length = buffer.getInt(at);
            if (length < 0
                    || length > bytes.length - at - JOURNAL_HEADER
                    || journalChecksum(bytes, at, length) != buffer.getInt(at + 4)) {
                at++;
                continue;
            }
            String payload = text.substring(at + JOURNAL_HEADER, at + JOURNAL_HEADER + length);
            frames.add(new JournalFrame(bytes[at + 24], buffer.getInt(at + 20), buffer.getLong(at + 32), payload));
            at += JOURNAL_HEADER + length;
        }
        return frames;
    }

    private static int checksum(byte[] bytes, int from, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, from, length);
        return (int) crc.getValue();
    }

    private static int journalChecksum(byte[] bytes, int at, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, at, 4);
        crc.update(bytes, at + 8, JOURNAL_HEADER - 8 + length);
        return (int) crc.getValue();
    }
}
