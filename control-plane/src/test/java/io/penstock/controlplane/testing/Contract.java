package io.penstock.controlplane.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** The OpenAPI document, and whether an answer keeps to it. Knows the part of JSON Schema that the document uses. */
public final class Contract {
    private final JsonNode document;

    public Contract() {
        try (InputStream in = Contract.class.getResourceAsStream("/openapi/openapi.json")) {
            document = new ObjectMapper().readTree(in);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    public JsonNode document() {
        return document;
    }

    /** An operation of the document. */
    public record Operation(String method, String path, JsonNode definition) {
        public String id() {
            return definition.path("operationId").asText();
        }

        @Override
        public String toString() {
            return id();
        }

        public boolean changes() {
            return !"GET".equals(method);
        }

        public boolean isPublic() {
            return definition.has("security") && definition.path("security").isEmpty();
        }

        /** Only for a person with a session: no API token. */
        public boolean needsSession() {
            return definition.path("security").size() == 1;
        }

        /** What it asks for, or an empty text. */
        public String permission() {
            return definition.path("x-permission").asText();
        }
    }

    public List<Operation> operations() {
        List<Operation> out = new ArrayList<>();
        for (Map.Entry<String, JsonNode> path : document.path("paths").properties()) {
            for (Map.Entry<String, JsonNode> method : path.getValue().properties()) {
                if (method.getValue().has("x-planned")) {
                    continue;
                }
                out.add(new Operation(
                        method.getKey().toUpperCase(java.util.Locale.ROOT), path.getKey(), method.getValue()));
            }
        }
        return out;
    }

    public Operation operation(String method, String path) {
        String plain = path.replaceAll("\\?.*", "");
        return operations().stream()
                .filter(operation -> operation.method().equals(method))
                .filter(operation -> Pattern.matches(operation.path().replaceAll("\\{\\w+}", "[^/]+"), plain))
                .min(java.util.Comparator.comparingInt(
                        operation -> operation.path().contains("{") ? 1 : 0))
                .orElseThrow(() -> new AssertionError(method + " " + plain + " is not in the document"));
    }

    /** What is wrong with an answer; empty when it keeps to the document. */
    public List<String> violations(Operation operation, int status, String contentType, JsonNode body) {
        JsonNode responses = operation.definition().path("responses");
        JsonNode response = responses.has(Integer.toString(status))
                ? responses.get(Integer.toString(status))
                : resolve(responses.path("default"));
        if (status < 400 && !responses.has(Integer.toString(status))) {
            return List.of("status " + status + " is not in the document");
        }
        JsonNode content = response.path("content");
        if (content.isEmpty()) {
            return body == null ? List.of() : List.of("there should be no body");
        }
        JsonNode media = content.get(contentType);
        if (media == null) {
            return List.of("content type " + contentType + " is not in the document");
        }
        List<String> wrong = new ArrayList<>();
        check(media.path("schema"), body, "$", wrong);
        return wrong;
    }

    public JsonNode schema(String name) {
        return document.path("components").path("schemas").path(name);
    }

    private JsonNode resolve(JsonNode node) {
        return node.has("$ref") ? document.at(node.get("$ref").asText().substring(1)) : node;
    }

    private void check(JsonNode given, JsonNode value, String at, List<String> wrong) {
        JsonNode schema = resolve(given);
        for (String choice : List.of("oneOf", "anyOf")) {
            if (schema.has(choice)) {
                checkChoice(schema.get(choice), value, at, wrong);
                return;
            }
        }
        if (schema.has("type") && !typed(schema.get("type"), value)) {
            wrong.add(at + ": " + value + " is not " + schema.get("type"));
            return;
        }
        if (schema.has("enum") && !contains(schema.get("enum"), value)) {
            wrong.add(at + ": " + value + " is not one of " + schema.get("enum"));
        }
        if (schema.has("pattern")
                && value.isTextual()
                && !Pattern.compile(schema.get("pattern").asText())
                        .matcher(value.asText())
                        .find()) {
            wrong.add(at + ": " + value + " is not " + schema.get("pattern"));
        }
        if (value.isObject()) {
            checkObject(schema, value, at, wrong);
        }
        if (value.isArray() && schema.has("items")) {
            for (int i = 0; i < value.size(); i++) {
                check(schema.get("items"), value.get(i), at + "[" + i + "]", wrong);
            }
        }
    }

    private void checkChoice(JsonNode choices, JsonNode value, String at, List<String> wrong) {
        List<String> best = null;
        for (JsonNode choice : choices) {
            List<String> tried = new ArrayList<>();
            check(choice, value, at, tried);
            if (tried.isEmpty()) {
                return;
            }
            best = best == null || tried.size() < best.size() ? tried : best;
        }
        wrong.addAll(best);
    }

    private void checkObject(JsonNode schema, JsonNode value, String at, List<String> wrong) {
        for (JsonNode required : schema.path("required")) {
            if (!value.has(required.asText())) {
                wrong.add(at + ": " + required.asText() + " is missing");
            }
        }
        JsonNode properties = schema.path("properties");
        JsonNode additional = schema.get("additionalProperties");
        for (Map.Entry<String, JsonNode> entry : value.properties()) {
            if (properties.has(entry.getKey())) {
                check(properties.get(entry.getKey()), entry.getValue(), at + "." + entry.getKey(), wrong);
            } else if (additional != null && additional.isObject()) {
                check(additional, entry.getValue(), at + "." + entry.getKey(), wrong);
            } else if (!properties.isEmpty() && (additional == null || !additional.asBoolean())) {
                wrong.add(at + ": " + entry.getKey() + " is not in the document");
            }
        }
    }

    private static boolean typed(JsonNode type, JsonNode value) {
        if (type.isArray()) {
            for (JsonNode one : type) {
                if (typed(one, value)) {
                    return true;
                }
            }
            return false;
        }
        return switch (type.asText()) {
            case "string" -> value.isTextual();
            case "integer" -> value.isIntegralNumber();
            case "boolean" -> value.isBoolean();
            case "object" -> value.isObject();
            case "array" -> value.isArray();
            case "null" -> value.isNull();
            default -> throw new IllegalArgumentException(type.asText());
        };
    }

    private static boolean contains(JsonNode values, JsonNode value) {
        for (JsonNode one : values) {
            if (one.equals(value)) {
                return true;
            }
        }
        return false;
    }
}
