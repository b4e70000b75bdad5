package io.penstock.controlplane.stream;

import com.fasterxml.jackson.databind.JsonNode;
import io.penstock.controlplane.broker.Views;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Stored messages in the API's form. Pure. */
final class Messages {
    private Messages() {}

    /** A message. `size` is of the whole payload. */
    public record Message(
            String seq, String time, String subject, Map<String, List<String>> headers, long size, Payload payload) {}

    /** The payload as text when it is text, as base64 else. */
    public record Payload(String encoding, String data, boolean truncated) {}

    static Message view(JsonNode message, int preview) {
        byte[] data = bytes(message, "data");
        return new Message(
                message.path("seq").asText(),
                Views.time(message.path("time")).textValue(),
                message.path("subject").asText(),
                headers(bytes(message, "hdrs")),
                data.length,
                payload(data, preview));
    }

    static Payload payload(byte[] data, int preview) {
        boolean truncated = data.length > preview;
        byte[] shown = truncated ? Arrays.copyOf(data, preview) : data;
        String text = text(truncated ? wholeCharacters(shown) : shown);
        return text == null
                ? new Payload("base64", Base64.getEncoder().encodeToString(shown), truncated)
                : new Payload("utf8", text, truncated);
    }

    /** Null when the bytes are not UTF-8 or hold control characters other than white space. */
    private static String text(byte[] bytes) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            boolean plain = text.chars().allMatch(c -> (c >= 0x20 && c != 0x7f) || c == '\t' || c == '\n' || c == '\r');
            return plain ? text : null;
        } catch (CharacterCodingException notUtf8) {
            return null;
        }
    }

    /** Drops a character that the cut has torn apart. */
    private static byte[] wholeCharacters(byte[] cut) {
        int start = cut.length - 1;
        while (start >= 0 && cut.length - start < 4 && (cut[start] & 0xc0) == 0x80) {
            start--;
        }
        if (start < 0) {
            return cut;
        }
        int lead = cut[start] & 0xff;
        int length = lead < 0x80 ? 1 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
        return start + length > cut.length ? Arrays.copyOf(cut, start) : cut;
    }

    /** The header block after its version line. */
    static Map<String, List<String>> headers(byte[] block) {
        Map<String, List<String>> out = new LinkedHashMap<>();
        String[] lines = new String(block, StandardCharsets.UTF_8).split("\r\n");
        for (int i = 1; i < lines.length; i++) {
            int colon = lines[i].indexOf(':');
            if (colon > 0) {
                out.computeIfAbsent(lines[i].substring(0, colon), name -> new ArrayList<>())
                        .add(lines[i].substring(colon + 1).strip());
            }
        }
        return out;
    }

    private static byte[] bytes(JsonNode message, String field) {
        return message.hasNonNull(field)
                ? Base64.getDecoder().decode(message.get(field).asText())
                : new byte[0];
    }
}
