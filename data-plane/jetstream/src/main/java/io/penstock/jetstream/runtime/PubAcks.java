package io.penstock.jetstream.runtime;

import io.penstock.protocol.jetstream.ApiError;
import io.penstock.protocol.jetstream.JetStreamJson;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Writes the answers to publishers by hand. */
final class PubAcks {
    private static final byte[] DUPLICATE = ",\"duplicate\": true}".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] END = {'}'};

    private final byte[] prefix;
    private final String stream;

    PubAcks(String stream, String domain) {
        this.stream = stream;
        String quoted = new String(JetStreamJson.write(stream), StandardCharsets.UTF_8);
        String place = domain.isEmpty()
                ? ""
                : "\"domain\":" + new String(JetStreamJson.write(domain), StandardCharsets.UTF_8) + ",";
        prefix = ("{\"stream\":" + quoted + "," + place + "\"seq\":").getBytes(StandardCharsets.UTF_8);
    }

    byte[] accepted(long sequence, boolean duplicate) {
        byte[] tail = duplicate ? DUPLICATE : END;
        int digits = digits(sequence);
        byte[] out = Arrays.copyOf(prefix, prefix.length + digits + tail.length);
        long rest = sequence;
        for (int i = prefix.length + digits - 1; i >= prefix.length; i--) {
            out[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        System.arraycopy(tail, 0, out, prefix.length + digits, tail.length);
        return out;
    }

    /** A batch was stored whole; {@code sequence} is that of its last message. */
    byte[] committed(long sequence, String id, int count) {
        byte[] open = accepted(sequence, false);
        byte[] tail = (",\"batch\":" + new String(JetStreamJson.write(id), StandardCharsets.UTF_8) + ",\"count\":"
                        + count + "}")
                .getBytes(StandardCharsets.UTF_8);
        byte[] out = Arrays.copyOf(open, open.length - END.length + tail.length);
        System.arraycopy(tail, 0, out, open.length - END.length, tail.length);
        return out;
    }

    private static int digits(long value) {
        int count = 1;
        for (long rest = value; rest >= 10; rest /= 10) {
            count++;
        }
        return count;
    }

    byte[] refused(ApiError error) {
        String text = "{\"error\":" + new String(JetStreamJson.write(error), StandardCharsets.UTF_8) + ",\"stream\":"
                + new String(JetStreamJson.write(stream), StandardCharsets.UTF_8) + ",\"seq\":0}";
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
