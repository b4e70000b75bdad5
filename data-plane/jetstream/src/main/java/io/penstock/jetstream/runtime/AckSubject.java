package io.penstock.jetstream.runtime;

/**
 * The subject an acknowledgement is published to: {@code $JS.ACK.<stream>.<consumer>.<deliveries>.<stream
 * sequence>.<consumer sequence>.<time>.<pending>}, or with domain and account hash before the stream.
 */
record AckSubject(String stream, String consumer, long deliveries, long streamSequence, long consumerSequence) {
    private static final int SHORT_TOKENS = 9;
    private static final int LONG_TOKENS = 11;

    /** Reads a subject; null when it is not of this form. */
    static AckSubject parse(String subject) {
        int tokens = 1;
        for (int i = 0; i < subject.length(); i++) {
            if (subject.charAt(i) == '.') {
                tokens++;
            }
        }
        int from;
        if (tokens == SHORT_TOKENS || tokens == SHORT_TOKENS + 1) {
            from = "$JS.ACK.".length();
        } else if (tokens >= LONG_TOKENS) {
            from = subject.indexOf('.', subject.indexOf('.', "$JS.ACK.".length()) + 1) + 1;
        } else {
            return null;
        }
        int streamEnd = subject.indexOf('.', from);
        int consumerEnd = subject.indexOf('.', streamEnd + 1);
        int deliveriesEnd = subject.indexOf('.', consumerEnd + 1);
        int streamSequenceEnd = subject.indexOf('.', deliveriesEnd + 1);
        int consumerSequenceEnd = subject.indexOf('.', streamSequenceEnd + 1);
        long deliveries = number(subject, consumerEnd + 1, deliveriesEnd);
        long streamSequence = number(subject, deliveriesEnd + 1, streamSequenceEnd);
        long consumerSequence = number(subject, streamSequenceEnd + 1, consumerSequenceEnd);
        if (deliveries < 0 || streamSequence <= 0 || consumerSequence <= 0) {
            return null;
        }
        return new AckSubject(
                subject.substring(from, streamEnd),
                subject.substring(streamEnd + 1, consumerEnd),
                deliveries,
                streamSequence,
                consumerSequence);
    }

    private static long number(String text, int from, int to) {
        if (to - from < 1 || to - from > 18) {
            return -1;
        }
        long value = 0;
        for (int i = from; i < to; i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            value = value * 10 + digit;
        }
        return value;
    }
}
