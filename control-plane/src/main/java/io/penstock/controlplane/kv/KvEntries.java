package io.penstock.controlplane.kv;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.controlplane.audit.BrokerAudit;
import io.penstock.controlplane.broker.JetStream;
import io.penstock.controlplane.broker.Views;
import io.penstock.controlplane.stream.StreamKind;
import io.penstock.controlplane.web.ErrorCode;
import io.penstock.controlplane.web.ProblemException;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Entries of key-value buckets. A revision is the sequence of the message that holds the value. */
@ApplicationScoped
public class KvEntries {
    private static final Pattern KEY = Pattern.compile("[-/_=.A-Za-z0-9]{1,1024}");
    private static final int LARGEST = 512 << 10;
    private static final String EXPECTED = "Nats-Expected-Last-Subject-Sequence";

    @Inject
    JetStream jetStream;

    @Inject
    BrokerAudit audit;

    /** What to set; see {@link KvResource.KvEntryPut}. `expected` is null where any value may be there. */
    record Put(byte[] value, boolean createOnly, Long expected) {}

    /** A value or a marker of its end. */
    record Stored(long revision, byte[] value, boolean marker, JsonNode time, String subject) {}

    static String checked(String key) {
        boolean good = KEY.matcher(key).matches() && !key.startsWith(".") && !key.endsWith(".") && !key.contains("..");
        if (!good) {
            throw ProblemException.notFound();
        }
        return key;
    }

    /** The value now, or the one of a revision that history keeps. */
    KvResource.KvEntry get(String account, String bucket, String key, Long revision) {
        Stored stored = revision == null
                ? last(account, bucket, key).orElseThrow(ProblemException::notFound)
                : at(account, bucket, key, revision);
        if (stored.marker()) {
            throw ProblemException.notFound();
        }
        return view(account, bucket, key, stored);
    }

    private Stored at(String account, String bucket, String key, long revision) {
        ObjectNode query = JsonNodeFactory.instance.objectNode().put("seq", revision);
        return jetStream
                .message(account, StreamKind.KV_BUCKET.stream(bucket), query)
                .map(KvEntries::stored)
                .filter(stored -> stored.subject().equals(subject(bucket, key)))
                .orElseThrow(ProblemException::notFound);
    }

    private Optional<Stored> last(String account, String bucket, String key) {
        ObjectNode query = JsonNodeFactory.instance.objectNode().put("last_by_subj", subject(bucket, key));
        return jetStream
                .message(account, StreamKind.KV_BUCKET.stream(bucket), query)
                .map(KvEntries::stored);
    }

    KvResource.KvEntry put(String account, String bucket, String key, Put put) {
        audit.around(
                account,
                "kv_entry.put",
                path(account, bucket, key),
                Map.of("size", put.value().length),
                () -> jetStream.publish(
                        account, subject(bucket, key), condition(account, bucket, key, put), put.value()));
        return get(account, bucket, key, null);
    }

    /** Refuses what would not be stored, for a dry run too. */
    void check(String account, String bucket, String key, Put put) {
        if (put.value().length > LARGEST) {
            throw ProblemException.invalidField(
                    ErrorCode.VALIDATION_FAILED, "value", "size", "at most 512 KiB through this API");
        }
        Optional<Stored> last = last(account, bucket, key);
        boolean there = last.isPresent() && !last.get().marker();
        if (put.createOnly() && there) {
            throw ProblemException.of(ErrorCode.ALREADY_EXISTS, "The key has a value.")
                    .param("revision", Long.toString(last.get().revision()));
        }
        if (put.expected() != null) {
            long now = there ? last.get().revision() : 0;
            if (now != put.expected()) {
                throw changed(now);
            }
        }
    }

    private static ProblemException changed(long now) {
        return ProblemException.of(
                        ErrorCode.VERSION_MISMATCH, "It was changed since you read it. Read it again and repeat.")
                .param("current_etag", etag(now))
                .header("ETag", etag(now));
    }

    /** A marker of an earlier value counts as no value, so its revision is what the broker must find. */
    private Map<String, String> condition(String account, String bucket, String key, Put put) {
        boolean fresh = put.createOnly() || (put.expected() != null && put.expected() == 0);
        if (fresh) {
            long marker = last(account, bucket, key)
                    .filter(Stored::marker)
                    .map(Stored::revision)
                    .orElse(0L);
            return Map.of(EXPECTED, Long.toString(marker));
        }
        return put.expected() == null ? Map.of() : Map.of(EXPECTED, Long.toString(put.expected()));
    }

    /** `expected` may be null. `purge` removes the history as well. */
    void delete(String account, String bucket, String key, Long expected, boolean purge) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("KV-Operation", purge ? "PURGE" : "DEL");
        if (purge) {
            headers.put("Nats-Rollup", "sub");
        }
        if (expected != null) {
            headers.put(EXPECTED, Long.toString(expected));
        }
        audit.around(
                account,
                purge ? "kv_entry.purged" : "kv_entry.deleted",
                path(account, bucket, key),
                Map.of(),
                () -> jetStream.publish(account, subject(bucket, key), headers, new byte[0]));
    }

    /** Keys that have a value, from `after` on, one more than `most` if there are more. */
    List<KvResource.KvKey> keys(String account, String bucket, String filter, String after, int most) {
        String prefix = "$KV." + bucket + ".";
        List<KvResource.KvKey> out = new ArrayList<>();
        for (Map.Entry<String, Long> subject : jetStream
                .subjects(account, StreamKind.KV_BUCKET.stream(bucket), prefix + filter)
                .entrySet()) {
            String key = subject.getKey().substring(prefix.length());
            boolean later = after == null || key.compareTo(after) > 0;
            if (later && last(account, bucket, key).filter(one -> !one.marker()).isPresent()) {
                out.add(new KvResource.KvKey(key, Long.toString(subject.getValue())));
            }
            if (out.size() > most) {
                break;
            }
        }
        return out;
    }

    private static Stored stored(JsonNode message) {
        String headers =
                new String(Base64.getDecoder().decode(message.path("hdrs").asText("")), StandardCharsets.ISO_8859_1);
        boolean marker = headers.contains("KV-Operation:") || headers.contains("Nats-Marker-Reason:");
        return new Stored(
                message.path("seq").asLong(),
                Base64.getDecoder().decode(message.path("data").asText("")),
                marker,
                message.path("time"),
                message.path("subject").asText());
    }

    private static KvResource.KvEntry view(String account, String bucket, String key, Stored stored) {
        String text = utf8(stored.value());
        return new KvResource.KvEntry(
                account,
                bucket,
                key,
                Long.toString(stored.revision()),
                text == null ? "base64" : "utf8",
                text == null ? Base64.getEncoder().encodeToString(stored.value()) : text,
                stored.value().length,
                Views.time(stored.time()),
                etag(stored.revision()));
    }

    static String etag(long revision) {
        return "\"r" + revision + "\"";
    }

    /** Null where it is no text. */
    private static String utf8(byte[] value) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(value))
                    .toString();
        } catch (CharacterCodingException binary) {
            return null;
        }
    }

    private static String subject(String bucket, String key) {
        return "$KV." + bucket + "." + key;
    }

    private static String path(String account, String bucket, String key) {
        return "/v1/accounts/" + account + "/kv/" + bucket + "/entries/" + key;
    }
}
