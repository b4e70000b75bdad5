package io.penstock.broker.engine;

import io.netty.buffer.ByteBuf;
import io.penstock.broker.Account;
import io.penstock.broker.Connection;
import io.penstock.broker.RoutedMessage;
import io.penstock.broker.internal.MessageOrigin;
import io.penstock.broker.route.RouteParser;
import io.penstock.protocol.ProtocolParser;
import io.penstock.protocol.SubjectHash;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A message on its way, described by slices of arrays that belong to others. One for each depth of forwarding and lane,
 * used over and over; owned by the lane's thread.
 */
final class Frame implements RoutedMessage {
    private static final byte[] NONE = {};

    private final Lane lane;

    LocalAccount account;
    /** Null for the server's own messages. */
    ClientConnection publisher;

    InternalOrigin internalOrigin;
    /** Whether it came through a service import, so that even the publisher itself may receive it. */
    boolean forwarded;

    /** Whether it came from another node, which told all others itself. */
    boolean routed;

    /** Queue groups it is for when it came from another node: slices of {@link #queueBytes}. */
    private byte[] queueBytes = NONE;

    private int[] queueOffset = new int[4];
    private int[] queueLength = new int[4];
    private int queues;

    /** Queue groups whose member is chosen on another node, while it is routed: places in the route, and names. */
    int chosen;

    int[] chosenNode = new int[4];
    byte[][] chosenQueue = new byte[4][];

    byte[] subjectBytes = NONE;
    int subjectOffset;
    int subjectLength;
    int subjectHash;

    /** What receivers are shown instead of the subject it is routed by; null for that subject. */
    byte[] shown;

    byte[] replyBytes = NONE;
    int replyOffset;
    int replyLength;

    byte[] headerBytes = NONE;
    int headerOffset;
    int headerLength;
    byte[] payloadBytes = NONE;
    int payloadOffset;
    int payloadLength;

    /** Where everything behind the subject stands ready to be copied, -1 when it does not. */
    int tailOffset = -1;

    byte[] tailBytes = NONE;
    int tailLength;

    /** Whether a part of it would break the lines of the wire; such a message reaches nobody. */
    boolean broken;

    private ByteBuf sharedTail;
    private String subjectText;

    Frame(Lane lane) {
        this.lane = lane;
    }

    void fromWire(ClientConnection from, LocalAccount in, ProtocolParser parser, byte[] bytes) {
        account = in;
        publisher = from;
        internalOrigin = null;
        forwarded = false;
        routed = false;
        broken = false;
        shown = null;
        subjectBytes = bytes;
        subjectOffset = parser.subjectOffset();
        subjectLength = parser.subjectLength();
        subjectHash = parser.subjectHash();
        subjectText = null;
        replyBytes = bytes;
        replyOffset = parser.replyOffset();
        replyLength = parser.replyLength();
        int content = parser.contentOffset();
        headerBytes = bytes;
        headerOffset = content;
        headerLength = parser.headerLength();
        payloadBytes = bytes;
        payloadOffset = content + headerLength;
        payloadLength = parser.contentLength() - headerLength;
        tailBytes = bytes;
        tailOffset = parser.isTailCanonical() ? parser.tailOffset() : -1;
        tailLength = content + parser.contentLength() + 2 - tailOffset;
    }

    void fromRoute(RouteParser parser, byte[] bytes, LocalAccount in) {
        account = in;
        publisher = null;
        internalOrigin = in.routedOrigin();
        forwarded = false;
        routed = true;
        broken = false;
        shown = parser.hasShown() ? parser.shown(bytes) : null;
        subjectBytes = bytes;
        subjectOffset = parser.subjectOffset();
        subjectLength = parser.subjectLength();
        subjectHash = parser.subjectHash(bytes);
        subjectText = null;
        replyBytes = bytes;
        replyOffset = parser.replyOffset();
        replyLength = parser.replyLength();
        int content = parser.contentOffset();
        headerBytes = bytes;
        headerOffset = content;
        headerLength = parser.headerLength();
        payloadBytes = bytes;
        payloadOffset = content + headerLength;
        payloadLength = parser.contentLength() - headerLength;
        tailBytes = bytes;
        tailOffset = parser.tailOffset();
        tailLength = content + parser.contentLength() + 2 - tailOffset;
        queueBytes = bytes;
        queues = parser.queueCount();
        if (queueOffset.length < queues) {
            queueOffset = new int[queues];
            queueLength = new int[queues];
        }
        for (int i = 0; i < queues; i++) {
            queueOffset[i] = parser.queueOffset(i);
            queueLength[i] = parser.queueLength(i);
        }
    }

    /** Whether a member of this queue group is to get it, of a message from another node. */
    boolean isFor(byte[] queue) {
        for (int i = 0; i < queues; i++) {
            int from = queueOffset[i];
            if (Arrays.equals(queue, 0, queue.length, queueBytes, from, from + queueLength[i])) {
                return true;
            }
        }
        return false;
    }

    /** Notes that a member of a queue group on another node gets it. */
    void choose(int node, byte[] queue) {
        if (chosen == chosenNode.length) {
            chosenNode = Arrays.copyOf(chosenNode, chosen * 2);
            chosenQueue = Arrays.copyOf(chosenQueue, chosen * 2);
        }
        chosenNode[chosen] = node;
        chosenQueue[chosen++] = queue;
    }

    void fromServer(
            InternalOrigin origin, LocalAccount in, String subject, String reply, byte[] headers, byte[] payload) {
        account = in;
        publisher = null;
        internalOrigin = origin;
        forwarded = false;
        routed = false;
        broken = false;
        shown = null;
        setSubject(subject);
        setReply(reply);
        setHeaders(headers);
        payloadBytes = payload;
        payloadOffset = 0;
        payloadLength = payload.length;
        tailOffset = -1;
    }

    void setSubject(String subject) {
        subjectBytes = subject.getBytes(StandardCharsets.ISO_8859_1);
        subjectOffset = 0;
        subjectLength = subjectBytes.length;
        subjectHash = SubjectHash.of(subjectBytes, 0, subjectLength);
        subjectText = subject;
        broken |= breaksLines(subjectBytes);
    }

    private void setReply(String reply) {
        replyBytes = reply == null ? NONE : reply.getBytes(StandardCharsets.ISO_8859_1);
        replyOffset = 0;
        replyLength = replyBytes.length;
        tailOffset = -1;
        broken |= breaksLines(replyBytes);
    }

    /** Shows receivers another subject than the one it is routed by. */
    void show(String subject) {
        shown = subject.getBytes(StandardCharsets.ISO_8859_1);
        broken |= breaksLines(shown);
    }

    /** What comes from the wire has no such bytes in its subjects; what was made of JSON may. */
    private static boolean breaksLines(byte[] text) {
        for (byte b : text) {
            if (b == ' ' || b == '\r' || b == '\n' || b == '\t') {
                return true;
            }
        }
        return false;
    }

    private void setHeaders(byte[] headers) {
        headerBytes = headers;
        headerOffset = 0;
        headerLength = headers.length;
        tailOffset = -1;
    }

    /** Says in its headers who sent it, for another node. */
    void tellOrigin() {
        setHeaders(OriginHeader.addTo(headers(), publisher.origin()));
    }

    /** Takes over all of another frame's message. */
    void copy(Frame from) {
        account = from.account;
        publisher = from.publisher;
        internalOrigin = from.internalOrigin;
        forwarded = from.forwarded;
        routed = from.routed;
        broken = from.broken;
        queueBytes = from.queueBytes;
        queues = 0;
        subjectBytes = from.subjectBytes;
        subjectOffset = from.subjectOffset;
        subjectLength = from.subjectLength;
        subjectHash = from.subjectHash;
        subjectText = from.subjectText;
        shown = from.shown;
        replyBytes = from.replyBytes;
        replyOffset = from.replyOffset;
        replyLength = from.replyLength;
        headerBytes = from.headerBytes;
        headerOffset = from.headerOffset;
        headerLength = from.headerLength;
        payloadBytes = from.payloadBytes;
        payloadOffset = from.payloadOffset;
        payloadLength = from.payloadLength;
        tailBytes = from.tailBytes;
        tailOffset = from.tailOffset;
        tailLength = from.tailLength;
    }

    int contentLength() {
        return headerLength + payloadLength;
    }

    /** The canonical tail as one buffer, shared by all receivers of a large message. */
    ByteBuf sharedTail() {
        if (sharedTail == null) {
            sharedTail = Lane.allocator().directBuffer(tailLength).writeBytes(tailBytes, tailOffset, tailLength);
        }
        return sharedTail;
    }

    /** To be called when its routing is over. */
    void done() {
        if (sharedTail != null) {
            sharedTail.release();
            sharedTail = null;
        }
        subjectText = null;
    }

    @Override
    public String subject() {
        if (shown != null) {
            return new String(shown, StandardCharsets.ISO_8859_1);
        }
        if (subjectText == null) {
            subjectText = new String(subjectBytes, subjectOffset, subjectLength, StandardCharsets.ISO_8859_1);
        }
        return subjectText;
    }

    @Override
    public String reply() {
        return replyLength == 0 ? null : new String(replyBytes, replyOffset, replyLength, StandardCharsets.ISO_8859_1);
    }

    @Override
    public int headersLength() {
        return headerLength;
    }

    @Override
    public int payloadLength() {
        return payloadLength;
    }

    @Override
    public void copyHeaders(byte[] target, int offset) {
        System.arraycopy(headerBytes, headerOffset, target, offset, headerLength);
    }

    @Override
    public void copyPayload(byte[] target, int offset) {
        System.arraycopy(payloadBytes, payloadOffset, target, offset, payloadLength);
    }

    @Override
    public byte[] headers() {
        byte[] copy = new byte[headerLength];
        copyHeaders(copy, 0);
        return copy;
    }

    @Override
    public byte[] payload() {
        byte[] copy = new byte[payloadLength];
        copyPayload(copy, 0);
        return copy;
    }

    @Override
    public MessageOrigin origin() {
        if (publisher != null) {
            return publisher.origin();
        }
        MessageOrigin origin = internalOrigin.origin();
        boolean told = routed && headerLength > 0 && OriginHeader.isWanted(subjectBytes, subjectOffset, subjectLength);
        return told ? OriginHeader.read(headers(), origin) : origin;
    }

    @Override
    public Account account() {
        return account;
    }

    @Override
    public Connection connection() {
        return publisher;
    }

    @Override
    public int forward(Account to, String subject, String reply) {
        return forward(to, subject, reply, null);
    }

    @Override
    public int forward(Account to, String subject, String reply, byte[] headers) {
        Frame next = lane.begin();
        if (next == null) {
            return 0;
        }
        try {
            return forward(next, (LocalAccount) to, subject, reply, headers, null);
        } finally {
            lane.end(next);
        }
    }

    @Override
    public String route() {
        return shown == null
                ? subject()
                : new String(subjectBytes, subjectOffset, subjectLength, StandardCharsets.ISO_8859_1);
    }

    @Override
    public int relay(Account to, String route, String reply) {
        Frame next = lane.begin();
        if (next == null) {
            return 0;
        }
        try {
            return forward(next, (LocalAccount) to, route, reply, null, shown);
        } finally {
            lane.end(next);
        }
    }

    private int forward(Frame next, LocalAccount to, String subject, String reply, byte[] headers, byte[] nowShown) {
        next.copy(this);
        next.shown = nowShown;
        next.account = to;
        next.forwarded = true;
        // In another account it begins anew: nobody has told the other nodes of it there.
        next.routed = false;
        next.setSubject(subject);
        boolean sameReply = replyLength == 0 ? reply == null : reply != null && reply.equals(reply());
        if (!sameReply) {
            next.setReply(reply);
        }
        if (headers != null) {
            next.setHeaders(headers);
        }
        return Router.route(lane, next);
    }
}
