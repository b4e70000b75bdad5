package io.penstock.jetstream.runtime;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.penstock.jetstream.state.Headers;
import io.penstock.protocol.jetstream.GoTime;
import io.penstock.protocol.jetstream.InvalidJsonException;
import io.penstock.protocol.jetstream.JetStreamJson;
import java.nio.charset.StandardCharsets;

/**
 * What an acknowledgement says.
 *
 * @param argument what follows the word: the reason of a termination, the request behind {@code +NXT}
 * @param delayNanos how long a redelivery is to wait, 0 for not at all
 */
record AckBody(Kind kind, String argument, long delayNanos) {
    /** The words of acknowledgements. */
    enum Kind {
        /** Done. */
        ACK,
        /** Failed: deliver again. */
        NAK,
        /** Still at work: start the clock again. */
        PROGRESS,
        /** Never deliver again. */
        TERM,
        /** Done, and send the next. */
        NEXT,
        /** Something else; ignored. */
        UNKNOWN
    }

    private record NakOptions(@JsonProperty("delay") long delay) {}

    private static final AckBody DONE = new AckBody(Kind.ACK, "", 0);

    static AckBody parse(byte[] body) {
        if (body.length == 0) {
            return DONE;
        }
        String text = new String(body, StandardCharsets.UTF_8);
        if (text.equals("+ACK") || text.equals("+OK")) {
            return DONE;
        }
        if (text.startsWith("+NXT")) {
            return new AckBody(Kind.NEXT, text.substring(4), 0);
        }
        if (text.startsWith("-NAK")) {
            return new AckBody(Kind.NAK, "", delay(text.substring(4).strip()));
        }
        if (text.equals("+WPI")) {
            return new AckBody(Kind.PROGRESS, "", 0);
        }
        if (text.startsWith("+TERM")) {
            return new AckBody(Kind.TERM, text.substring(5).strip(), 0);
        }
        return new AckBody(Kind.UNKNOWN, "", 0);
    }

    /** The request behind {@code +NXT}. */
    byte[] rest() {
        return argument.isEmpty() ? Headers.NONE : argument.getBytes(StandardCharsets.UTF_8);
    }

    /** A delay that cannot be read is none: the message comes again at once rather than never. */
    private static long delay(String text) {
        try {
            if (text.startsWith("{")) {
                return JetStreamJson.read(text.getBytes(StandardCharsets.UTF_8), NakOptions.class, false)
                        .delay();
            }
            return text.isEmpty() ? 0 : GoTime.parseDuration(text);
        } catch (InvalidJsonException | IllegalArgumentException e) {
            return 0;
        }
    }
}
