package io.penstock.protocol;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Writes down what a parser reports. */
class RecordingSink implements ProtocolSink {
    final List<String> events = new ArrayList<>();
    ProtocolParser parser;

    /** Feeds the whole input, cut at these positions. */
    static List<String> parse(byte[] input, int... cuts) {
        return parse(false, input, cuts);
    }

    static List<String> parse(boolean awaitingConnect, byte[] input, int... cuts) {
        RecordingSink sink = new RecordingSink();
        ProtocolParser parser = new ProtocolParser(sink, 128, 1000);
        sink.parser = parser;
        parser.setHeadersAllowed(true);
        parser.setAwaitingConnect(awaitingConnect);
        int from = 0;
        for (int cut : cuts) {
            feed(parser, input, from, cut);
            from = cut;
        }
        feed(parser, input, from, input.length);
        return sink.events;
    }

    /** Each piece in an array of its own that is wiped afterwards, so that nothing kept by reference survives. */
    private static void feed(ProtocolParser parser, byte[] input, int from, int to) {
        byte[] piece = new byte[to - from + 3];
        System.arraycopy(input, from, piece, 3, to - from);
        parser.parse(piece, 3, piece.length);
        java.util.Arrays.fill(piece, (byte) '#');
        parser.trim();
    }

    private static String text(byte[] bytes, int offset, int length) {
        return new String(bytes, offset, length, StandardCharsets.ISO_8859_1);
    }

    @Override
    public void onImplicitConnect() {
        events.add("implicit");
        parser.setAwaitingConnect(false);
    }

    @Override
    public void onConnect(byte[] bytes, int offset, int length) {
        events.add("connect " + text(bytes, offset, length));
        parser.setAwaitingConnect(false);
    }

    @Override
    public void onPing() {
        events.add("ping");
    }

    @Override
    public void onPong() {
        events.add("pong");
    }

    @Override
    public void onSubscribe(
            byte[] bytes,
            int subjectOffset,
            int subjectLength,
            int queueOffset,
            int queueLength,
            int sidOffset,
            int sidLength) {
        String queue = queueLength == 0 ? "" : " [" + text(bytes, queueOffset, queueLength) + "]";
        events.add(
                "sub " + text(bytes, subjectOffset, subjectLength) + queue + " #" + text(bytes, sidOffset, sidLength));
    }

    @Override
    public void onUnsubscribe(byte[] bytes, int sidOffset, int sidLength, int max) {
        events.add("unsub #" + text(bytes, sidOffset, sidLength) + " " + Math.max(0, max));
    }

    @Override
    public void onPublish(ProtocolParser message, byte[] bytes) {
        String subject = text(bytes, message.subjectOffset(), message.subjectLength());
        if (message.subjectHash() != SubjectHash.of(bytes, message.subjectOffset(), message.subjectLength())) {
            events.add("wrong hash of " + subject);
        }
        String reply = message.replyLength() == 0
                ? ""
                : " <" + text(bytes, message.replyOffset(), message.replyLength()) + ">";
        int content = message.contentOffset();
        int headers = message.headerLength();
        events.add("pub " + subject + reply + " h" + headers + " {" + text(bytes, content, headers) + "} {"
                + text(bytes, content + headers, message.contentLength() - headers) + "}");
        if (message.isTailCanonical()) {
            checkTail(message, bytes);
        }
    }

    private void checkTail(ProtocolParser message, byte[] bytes) {
        int end = message.contentOffset() + message.contentLength() + 2;
        String tail = text(bytes, message.tailOffset(), end - message.tailOffset());
        String reply =
                message.replyLength() == 0 ? "" : text(bytes, message.replyOffset(), message.replyLength()) + " ";
        String content = text(bytes, message.contentOffset(), message.contentLength());
        String plain = reply + message.contentLength() + "\r\n" + content + "\r\n";
        String withHeaders = reply + message.headerLength() + " " + plain.substring(reply.length());
        if (!tail.equals(plain) && !tail.equals(withHeaders)) {
            events.add("wrong tail " + tail);
        }
    }

    @Override
    public void onFailure(ParseFailure failure) {
        events.add("failure " + failure);
    }
}
