package io.penstock.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Requests of the JetStream API, one at a time. */
final class Api {
    private static final ObjectMapper JSON = new ObjectMapper();
    /** The error code of "no suitable peers for placement". */
    private static final int NO_PEERS = 10005;

    private static final long LIMIT_SECONDS = 30;

    private final ApiConnection connection;

    Api(ApiConnection connection) {
        this.connection = connection;
    }

    /** The configuration of a stream in files with three replicas. */
    static ObjectNode stream(String name, String subject) {
        ObjectNode config = JSON.createObjectNode();
        config.put("name", name).put("storage", "file").put("num_replicas", 3);
        config.put("retention", "limits").put("discard", "old");
        config.put("max_consumers", -1).put("max_msgs", -1).put("max_bytes", -1);
        config.putArray("subjects").add(subject);
        return config;
    }

    /** The stream behind a key-value bucket, as clients make it. */
    static ObjectNode bucket(String name) {
        ObjectNode config = stream("KV_" + name, "$KV." + name + ".>");
        config.put("max_msgs_per_subject", 1).put("allow_direct", true).put("allow_rollup_hdrs", true);
        return config.put("deny_delete", true).put("discard", "new");
    }

    static byte[] bytes(JsonNode node) {
        return node.toString().getBytes(StandardCharsets.UTF_8);
    }

    static JsonNode parse(byte[] body) throws IOException {
        return JSON.readTree(body);
    }

    /** Asks once; an answer that is an error is an answer too. */
    JsonNode ask(String subject, byte[] body) throws IOException, InterruptedException {
        CompletableFuture<byte[]> heard = new CompletableFuture<>();
        connection.request("$JS.API." + subject, body, (status, answer) -> {
            if (status == 503 || answer == null) {
                heard.completeExceptionally(new IOException("nobody answers " + subject));
            } else {
                heard.complete(answer);
            }
        });
        try {
            return parse(heard.get(LIMIT_SECONDS, TimeUnit.SECONDS));
        } catch (java.util.concurrent.ExecutionException e) {
            throw new IOException(e.getCause().getMessage(), e);
        } catch (java.util.concurrent.TimeoutException e) {
            throw new IOException("no answer to " + subject + " in " + LIMIT_SECONDS + " s", e);
        }
    }

    /** Creates a stream and tells its leader's name. A cluster that has just formed may not know all its nodes yet. */
    String create(ObjectNode config) throws IOException, InterruptedException {
        long until = System.nanoTime() + LIMIT_SECONDS * 1_000_000_000L;
        JsonNode answer = ask("STREAM.CREATE." + config.get("name").asText(), bytes(config));
        while (answer.path("error").path("err_code").asInt() == NO_PEERS && System.nanoTime() < until) {
            LockSupport.parkNanos(100_000_000L);
            answer = ask("STREAM.CREATE." + config.get("name").asText(), bytes(config));
        }
        if (answer.has("error")) {
            throw new IOException(config.get("name").asText() + " could not be made: " + answer.get("error"));
        }
        return answer.path("cluster").path("leader").asText();
    }
}
