package io.penstock.broker.engine;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * What one lane has for one connection in this batch: written out as the bytes of the wire, so that a batch costs one
 * buffer however many messages it has. Owned by the lane's thread.
 */
final class Outbox {
    /** Content from which a message is not copied for each receiver. */
    private static final int SHARED_FROM = 16 * 1024;

    /** Content that goes to the outgoing buffer at once, without the detour through {@link #block}. */
    private static final int DIRECT_FROM = 512;

    private static final int BUFFER_BYTES = 64 * 1024;

    /** Room for "HMSG ", sizes, blanks and line ends. */
    private static final int OVERHEAD = 5 + 1 + 1 + 10 + 1 + 10 + 2 + 2;

    private final Wire connection;
    private final Lane lane;
    boolean touched;

    /** What was written last, on its way to {@link #buffer}: many small copies are cheaper here. */
    private byte[] block;

    private int length;
    private int lastLength;

    /** What was written before; null when nothing was. */
    private ByteBuf buffer;

    private int messages;
    private long messageBytes;
    private List<String> replies;

    Outbox(Wire connection, Lane lane) {
        this.connection = connection;
        this.lane = lane;
    }

    /** Adds a message for a client, under the subject it is to be shown. */
    void message(Frame message, Sub sub, byte[] subject, int subjectOffset, int subjectLength) {
        boolean withHeaders = message.headerLength > 0 && connection.headers;
        int content = withHeaders ? message.contentLength() : message.payloadLength;
        boolean ready = message.tailOffset >= 0 && (withHeaders || message.headerLength == 0);
        int head = subjectLength + sub.sidField.length + OVERHEAD + message.replyLength;
        messages++;
        messageBytes += content;
        if (connection.tracksReplies && message.replyLength > 0) {
            addReply(message);
        }
        byte[] out = reserve(content < DIRECT_FROM ? head + content : head);
        length = writeHead(out, length, withHeaders, sub, subject, subjectOffset, subjectLength);
        if (!ready) {
            length = writeSizes(out, writeReply(out, length, message), message, withHeaders);
        }
        content(message, withHeaders, ready, content);
    }

    /**
     * Adds a message for another node.
     *
     * @param node its place in the message's route
     * @param queues how many queue groups of which a member there gets it
     */
    void routed(Frame message, RouteConnection route, int node, int queues) {
        boolean withHeaders = message.headerLength > 0;
        int content = message.contentLength();
        boolean ready = message.tailOffset >= 0 && message.shown == null && queues == 0;
        byte[] account = message.account.routePrefix();
        int head = account.length + message.subjectLength + OVERHEAD + message.replyLength + 2;
        head += message.shown == null ? 0 : message.shown.length + 3;
        for (int i = 0; queues > 0 && i < message.chosen; i++) {
            head += message.chosenNode[i] == node ? message.chosenQueue[i].length + 1 : 0;
        }
        messages++;
        messageBytes += content;
        byte[] out = reserve(content < DIRECT_FROM ? head + content : head);
        int p = length;
        out[p] = (byte) (withHeaders ? 'H' : 'R');
        out[p + 1] = 'M';
        out[p + 2] = 'S';
        out[p + 3] = 'G';
        out[p + 4] = ' ';
        p += 5;
        if (!route.isDedicated()) {
            p = copy(account, 0, account.length, out, p);
        }
        p = copy(message.subjectBytes, message.subjectOffset, message.subjectLength, out, p);
        out[p++] = ' ';
        if (message.shown != null) {
            out[p++] = '=';
            out[p++] = ' ';
            p = copy(message.shown, 0, message.shown.length, out, p);
            out[p++] = ' ';
        }
        if (queues > 0) {
            p = writeQueues(out, p, message, node);
        } else if (!ready) {
            p = writeReply(out, p, message);
        }
        length = ready ? p : writeSizes(out, p, message, withHeaders);
        content(message, withHeaders, ready, content);
    }

    private static int writeQueues(byte[] out, int at, Frame message, int node) {
        int p = at;
        out[p++] = (byte) (message.replyLength > 0 ? '+' : '|');
        out[p++] = ' ';
        p = writeReply(out, p, message);
        for (int i = 0; i < message.chosen; i++) {
            if (message.chosenNode[i] == node) {
                byte[] queue = message.chosenQueue[i];
                p = copy(queue, 0, queue.length, out, p);
                out[p++] = ' ';
            }
        }
        return p;
    }

    private static int copy(byte[] from, int offset, int count, byte[] out, int at) {
        System.arraycopy(from, offset, out, at, count);
        return at + count;
    }

    /** Adds what follows the head; when it is not ready the sizes are part of the head. */
    private void content(Frame message, boolean withHeaders, boolean ready, int content) {
        if (content < DIRECT_FROM) {
            small(message, withHeaders, ready);
        } else if (content < SHARED_FROM) {
            ByteBuf target = moveToBuffer(ready ? message.tailLength : message.contentLength() + 2);
            if (ready) {
                target.writeBytes(message.tailBytes, message.tailOffset, message.tailLength);
            } else {
                writeContent(target, message, withHeaders);
            }
        } else {
            large(message, withHeaders, ready);
        }
    }

    private void small(Frame message, boolean withHeaders, boolean ready) {
        byte[] out = block;
        int p = length;
        if (ready) {
            length = copy(message.tailBytes, message.tailOffset, message.tailLength, out, p);
            return;
        }
        if (withHeaders) {
            p = copy(message.headerBytes, message.headerOffset, message.headerLength, out, p);
        }
        p = copy(message.payloadBytes, message.payloadOffset, message.payloadLength, out, p);
        out[p++] = '\r';
        out[p++] = '\n';
        length = p;
    }

    private void large(Frame message, boolean withHeaders, boolean ready) {
        handOverBlock();
        if (ready) {
            pass(message.sharedTail().retainedDuplicate());
            return;
        }
        int size = (withHeaders ? message.headerLength : 0) + message.payloadLength + 2;
        ByteBuf content = Lane.allocator().directBuffer(size);
        writeContent(content, message, withHeaders);
        pass(content);
    }

    private static void writeContent(ByteBuf target, Frame message, boolean withHeaders) {
        if (withHeaders) {
            target.writeBytes(message.headerBytes, message.headerOffset, message.headerLength);
        }
        target.writeBytes(message.payloadBytes, message.payloadOffset, message.payloadLength);
        target.writeByte('\r').writeByte('\n');
    }

    /** Moves the block's bytes to a buffer that has room for {@code more} as well. */
    private ByteBuf moveToBuffer(int more) {
        if (buffer != null && buffer.maxWritableBytes() < length + more) {
            pass(buffer);
            buffer = null;
        }
        if (buffer == null) {
            int size = Math.max(length + more, BUFFER_BYTES);
            buffer = Lane.allocator().directBuffer(Math.min(size, Math.max(length + more, lastLength)), size);
        }
        if (length > 0) {
            buffer.writeBytes(block, 0, length);
            length = 0;
        }
        return buffer;
    }

    private static int writeHead(
            byte[] out, int at, boolean withHeaders, Sub sub, byte[] subject, int subjectOffset, int subjectLength) {
        int p = at;
        if (withHeaders) {
            out[p++] = 'H';
        }
        out[p] = 'M';
        out[p + 1] = 'S';
        out[p + 2] = 'G';
        out[p + 3] = ' ';
        p += 4;
        System.arraycopy(subject, subjectOffset, out, p, subjectLength);
        p += subjectLength;
        byte[] sid = sub.sidField;
        System.arraycopy(sid, 0, out, p, sid.length);
        return p + sid.length;
    }

    private static int writeReply(byte[] out, int at, Frame message) {
        if (message.replyLength == 0) {
            return at;
        }
        int p = copy(message.replyBytes, message.replyOffset, message.replyLength, out, at);
        out[p++] = ' ';
        return p;
    }

    private static int writeSizes(byte[] out, int at, Frame message, boolean withHeaders) {
        int p = at;
        if (withHeaders) {
            p = Digits.write(out, p, message.headerLength);
            out[p++] = ' ';
            p = Digits.write(out, p, message.contentLength());
        } else {
            p = Digits.write(out, p, message.payloadLength);
        }
        out[p++] = '\r';
        out[p++] = '\n';
        return p;
    }

    private void addReply(Frame message) {
        if (replies == null) {
            replies = new ArrayList<>();
        }
        replies.add(
                new String(message.replyBytes, message.replyOffset, message.replyLength, StandardCharsets.ISO_8859_1));
    }

    /** Adds bytes that are no message. */
    void raw(byte[] bytes) {
        if (bytes.length > Lane.LARGE_BLOCK) {
            handOverBlock();
            pass(Lane.allocator().directBuffer(bytes.length).writeBytes(bytes));
            return;
        }
        byte[] out = reserve(bytes.length);
        System.arraycopy(bytes, 0, out, length, bytes.length);
        length += bytes.length;
    }

    /** A block with room for so many more bytes, at {@link #length}. */
    private byte[] reserve(int bytes) {
        byte[] current = block;
        if (current == null) {
            length = 0;
            block = lane.takeBlock(Math.max(bytes, Math.min(lastLength, Lane.LARGE_BLOCK)));
        } else if (length + bytes > current.length) {
            if (current.length >= Lane.LARGE_BLOCK || length + bytes > Lane.LARGE_BLOCK) {
                moveToBuffer(0);
            }
            if (length + bytes > current.length) {
                replaceBlock(current, lane.takeBlock(Math.max(bytes, Lane.LARGE_BLOCK)));
            }
        }
        return block;
    }

    private void replaceBlock(byte[] current, byte[] larger) {
        System.arraycopy(current, 0, larger, 0, length);
        lane.giveBlock(current);
        block = larger;
    }

    private void handOverBlock() {
        if (length > 0) {
            moveToBuffer(0);
        }
        if (buffer != null) {
            lastLength = Math.min(buffer.readableBytes(), BUFFER_BYTES);
            pass(buffer);
            buffer = null;
        }
        if (block != null) {
            lane.giveBlock(block);
            block = null;
        }
    }

    private void pass(ByteBuf bytes) {
        Transfer transfer = new Transfer(connection, bytes, messages, messageBytes, replies);
        LocalAccount account = connection.boundAccount();
        if (account != null && messages > 0) {
            AccountLane counters = account.lane(lane);
            counters.outMessages += messages;
            counters.outBytes += messageBytes;
        }
        messages = 0;
        messageBytes = 0;
        replies = null;
        connection.accept(lane, transfer);
    }

    /** Ends the batch. */
    void handOver() {
        handOverBlock();
    }
}
