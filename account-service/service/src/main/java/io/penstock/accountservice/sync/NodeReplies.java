package io.penstock.accountservice.sync;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Reads what nodes answer on the claims subjects. */
final class NodeReplies {
    private final ObjectMapper json;

    NodeReplies(ObjectMapper json) {
        this.json = json;
    }

    /** Id of the node in an identity reply, or null. */
    String nodeId(byte[] body) {
        JsonNode id = parse(body).path("id");
        return id.isTextual() ? id.asText() : null;
    }

    /** Adds up the answers of a change that all these nodes should have made. */
    NodeClaims.Outcome outcome(Set<String> nodes, List<byte[]> replies) {
        Set<String> confirmed = new HashSet<>();
        Set<String> answered = new HashSet<>();
        List<String> errors = new ArrayList<>();
        for (byte[] body : replies) {
            JsonNode reply = parse(body);
            JsonNode server = reply.path("server");
            String id = server.isTextual() ? server.asText() : server.path("id").asText("?");
            String name = server.path("name").asText(id);
            answered.add(id);
            if (reply.path("data").path("code").asInt() == 200) {
                confirmed.add(id);
            } else {
                errors.add("node " + name + ": "
                        + reply.path("error").path("description").asText("unclear answer"));
            }
        }
        for (String node : nodes) {
            if (!answered.contains(node)) {
                errors.add("node " + node + " did not answer");
            }
        }
        return new NodeClaims.Outcome(Math.max(nodes.size(), answered.size()), confirmed.size(), errors);
    }

    private JsonNode parse(byte[] body) {
        try {
            JsonNode node = json.readTree(body);
            return node == null ? json.missingNode() : node;
        } catch (JsonProcessingException e) {
            return json.missingNode();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
