package io.penstock.controlplane.object;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.controlplane.audit.BrokerAudit;
import io.penstock.controlplane.broker.JetStream;
import io.penstock.controlplane.broker.Views;
import io.penstock.controlplane.stream.StreamKind;
import io.penstock.controlplane.web.ProblemException;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Objects of a bucket: what their metadata messages say. Contents are for clients. */
@ApplicationScoped
public class ObjectItems {
    @Inject
    JetStream jetStream;

    @Inject
    BrokerAudit audit;

    @Inject
    ObjectMapper json;

    @Inject
    Clock clock;

    /** Objects that are there, from the position `after` on, one more than `most` if there are more. */
    List<ObjectNode> list(String account, String bucket, String after, int most) {
        List<ObjectNode> out = new ArrayList<>();
        for (String subject : jetStream
                .subjects(account, StreamKind.OBJECT_BUCKET.stream(bucket), "$O." + bucket + ".M.>")
                .keySet()) {
            if (after == null || subject.compareTo(after) > 0) {
                last(account, bucket, subject)
                        .filter(meta -> !meta.path("deleted").asBoolean())
                        .ifPresent(meta -> out.add(((ObjectNode) meta).put("subject", subject)));
            }
            if (out.size() > most) {
                break;
            }
        }
        return out;
    }

    JsonNode get(String account, String bucket, String name) {
        return last(account, bucket, subject(bucket, name))
                .filter(meta -> !meta.path("deleted").asBoolean())
                .orElseThrow(ProblemException::notFound);
    }

    /** Marks the object as deleted and removes its chunks, as clients do. */
    void delete(String account, String bucket, String name) {
        ObjectNode meta = get(account, bucket, name).deepCopy();
        String chunks = "$O." + bucket + ".C." + meta.path("nuid").asText();
        meta.put("deleted", true);
        meta.put("size", 0);
        meta.put("chunks", 0);
        meta.put("digest", "");
        meta.put("mtime", clock.instant().toString());
        audit.around(
                account,
                "object.deleted",
                "/v1/accounts/" + account + "/objects/" + bucket + "/items/" + name,
                Map.of("name", name),
                () -> {
                    jetStream.publish(
                            account,
                            subject(bucket, name),
                            Map.of("Nats-Rollup", "sub"),
                            meta.toString().getBytes(StandardCharsets.UTF_8));
                    ObjectNode filter = JsonNodeFactory.instance.objectNode().put("filter", chunks);
                    return jetStream.call(account, "STREAM.PURGE." + StreamKind.OBJECT_BUCKET.stream(bucket), filter);
                });
    }

    private Optional<JsonNode> last(String account, String bucket, String subject) {
        ObjectNode query = JsonNodeFactory.instance.objectNode().put("last_by_subj", subject);
        return jetStream
                .message(account, StreamKind.OBJECT_BUCKET.stream(bucket), query)
                .flatMap(message -> parse(message.path("data").asText("")));
    }

    /** Empty for what no client would have written. */
    private Optional<JsonNode> parse(String base64) {
        try {
            JsonNode meta = json.readTree(Base64.getDecoder().decode(base64));
            return meta.isObject() ? Optional.of(meta) : Optional.empty();
        } catch (IOException | IllegalArgumentException malformed) {
            return Optional.empty();
        }
    }

    static ObjectResource.ObjectItem view(JsonNode meta) {
        Map<String, String> metadata = new LinkedHashMap<>();
        meta.path("metadata")
                .properties()
                .forEach(entry -> metadata.put(entry.getKey(), entry.getValue().asText()));
        JsonNode link = meta.at("/options/link");
        return new ObjectResource.ObjectItem(
                meta.path("name").asText(),
                text(meta, "description"),
                meta.path("size").asLong(),
                meta.path("chunks").asLong(),
                text(meta, "digest"),
                Views.time(meta.path("mtime")),
                metadata,
                link.isObject()
                        ? new ObjectResource.ObjectLink(link.path("bucket").asText(), text(link, "name"))
                        : null);
    }

    private static String text(JsonNode node, String field) {
        String value = node.path(field).asText("");
        return value.isEmpty() ? null : value;
    }

    private static String subject(String bucket, String name) {
        return "$O." + bucket + ".M." + Base64.getUrlEncoder().encodeToString(name.getBytes(StandardCharsets.UTF_8));
    }
}
