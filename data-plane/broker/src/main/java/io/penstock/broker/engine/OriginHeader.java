package io.penstock.broker.engine;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.broker.internal.MessageOrigin;
import io.penstock.broker.sharing.HeaderBlock;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;

/**
 * Tells another node who sent a request of JetStream's API, so that it can say so in its advisories: a message that comes
 * over a route names its account alone. What a client wrote under the header's name never gets so far.
 */
final class OriginHeader {
    private static final String NAME = "Nats-Request-Info";
    private static final ObjectMapper JSON = new ObjectMapper();

    private OriginHeader() {}

    /** Whether the subject is one of the API whose requests are told of; pulls and direct gets are not. */
    static boolean isWanted(byte[] subject, int offset, int length) {
        if (length < 8 || subject[offset] != '$' || subject[offset + 1] != 'J' || subject[offset + 2] != 'S') {
            return false;
        }
        // Acknowledgements, of which there are many, at the first glance.
        if (subject[offset + 4] == 'A' && subject[offset + 5] == 'C' && subject[offset + 6] == 'K') {
            return false;
        }
        String text = new String(subject, offset, length, StandardCharsets.ISO_8859_1);
        int api = text.indexOf(".API.");
        // Behind the prefix, or behind the prefix and a domain.
        boolean request = api == 3 || (api > 3 && text.indexOf('.', 4) == api);
        return request && !text.startsWith("CONSUMER.MSG.NEXT.", api + 5) && !text.startsWith("DIRECT.", api + 5);
    }

    /** The headers of a request with its sender in them. */
    static byte[] addTo(byte[] headers, MessageOrigin origin) {
        ObjectNode info = JSON.createObjectNode();
        info.put("start", Instant.ofEpochSecond(0, origin.startNanos()).toString());
        put(info, "host", origin.host());
        info.put("id", origin.connectionId());
        put(info, "acc", origin.account());
        put(info, "svc", origin.serviceAccount());
        put(info, "user", origin.user());
        put(info, "name", origin.name());
        put(info, "lang", origin.language());
        put(info, "ver", origin.version());
        info.put("rtt", origin.roundTripNanos());
        put(info, "issuer_key", origin.issuerKey());
        put(info, "name_tag", origin.nameTag());
        put(info, "kind", origin.kind());
        return HeaderBlock.with(headers, NAME, info.toString());
    }

    private static void put(ObjectNode info, String field, String value) {
        if (value != null && !value.isEmpty()) {
            info.put(field, value);
        }
    }

    /** Who the headers of a message from another node say it is from; {@code otherwise} when they do not. */
    static MessageOrigin read(byte[] headers, MessageOrigin otherwise) {
        String text = HeaderBlock.first(headers, NAME);
        if (text == null) {
            return otherwise;
        }
        try {
            JsonNode info =
                    JSON.readTree(new String(text.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8));
            Instant start = Instant.parse(info.path("start").asText());
            return new MessageOrigin(
                    info.path("kind").asText(),
                    info.path("id").asLong(),
                    info.path("acc").asText(otherwise.account()),
                    info.path("svc").asText(),
                    info.path("user").asText(),
                    info.path("name").asText(),
                    info.path("lang").asText(),
                    info.path("ver").asText(),
                    info.path("host").asText(),
                    "",
                    info.path("issuer_key").asText(),
                    info.path("name_tag").asText(),
                    start.getEpochSecond() * 1_000_000_000L + start.getNano(),
                    info.path("rtt").asLong());
        } catch (JsonProcessingException | DateTimeParseException e) {
            return otherwise;
        }
    }
}
