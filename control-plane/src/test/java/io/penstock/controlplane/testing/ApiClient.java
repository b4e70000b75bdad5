package io.penstock.controlplane.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A browser of one person. Every answer is held against the OpenAPI document. */
public final class ApiClient {
    public static final String ORIGIN = "http://penstock.test";
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Contract CONTRACT = new Contract();
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final URI base;
    private final Map<String, String> session = new LinkedHashMap<>();

    public ApiClient(URI base) {
        this.base = base;
    }

    /** An answer. `body` is null when there is none. */
    public record Answer(int status, JsonNode body, HttpResponse<String> raw) {
        public String header(String name) {
            return raw.headers().firstValue(name).orElse(null);
        }

        public String code() {
            return body == null ? null : body.path("code").asText();
        }

        public String text(String field) {
            return body.at("/" + field.replace('.', '/')).asText();
        }
    }

    /** Signs in as a person of the identity provider, and takes the form token. */
    public ApiClient signIn(String sub, String email) {
        session.put(TestingIdentity.HEADER, sub + "|" + email + "|sid-" + sub);
        session.put("X-CSRF-Token", get("/v1/me").text("csrf_token"));
        return this;
    }

    /** A program with an API token: no session, no origin, no form token. */
    public static ApiClient withToken(URI base, String token) {
        ApiClient client = new ApiClient(base);
        client.session.put("Authorization", "Bearer " + token);
        return client;
    }

    public ApiClient without(String header) {
        ApiClient other = new ApiClient(base);
        other.session.putAll(session);
        other.session.remove(header);
        return other;
    }

    public Answer get(String path) {
        return call("GET", path, null, Map.of());
    }

    public Answer post(String path, Object body, String... headers) {
        return call("POST", path, body, pairs(headers));
    }

    public Answer patch(String path, Object body, String... headers) {
        return call("PATCH", path, body, pairs(headers));
    }

    public Answer delete(String path, String... headers) {
        return call("DELETE", path, null, pairs(headers));
    }

    public Answer call(String method, String path, Object body, Map<String, String> headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(base.resolve(escaped(path)))
                .timeout(Duration.ofSeconds(90))
                .method(
                        method,
                        body == null
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofString(text(body)));
        Map<String, String> all = new LinkedHashMap<>(session);
        if (body != null) {
            all.put("Content-Type", "PATCH".equals(method) ? "application/merge-patch+json" : "application/json");
        } else if ("POST".equals(method)) {
            all.put("Content-Type", "application/json");
        }
        if (!session.containsKey("Authorization")) {
            all.put("Origin", ORIGIN);
        }
        all.putAll(headers);
        all.values().removeIf(String::isEmpty);
        all.forEach(request::header);
        try {
            HttpResponse<String> raw = HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
            JsonNode parsed = raw.body().isEmpty() ? null : JSON.readTree(raw.body());
            Answer answer = new Answer(raw.statusCode(), parsed, raw);
            hold(method, path, answer);
            return answer;
        } catch (IOException failed) {
            throw new UncheckedIOException(method + " " + path, failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    private static void hold(String method, String path, Answer answer) {
        String type =
                answer.raw().headers().firstValue("Content-Type").orElse("").replaceAll(";.*", "");
        List<String> wrong =
                CONTRACT.violations(CONTRACT.operation(method, path), answer.status(), type, answer.body());
        if (!wrong.isEmpty()) {
            throw new AssertionError(method + " " + path + " answered " + answer.status() + " against the document: "
                    + wrong + "\n" + answer.body());
        }
    }

    private static String escaped(String path) {
        int query = path.indexOf('?');
        if (query < 0) {
            return path;
        }
        StringBuilder out = new StringBuilder(path.substring(0, query));
        char separator = '?';
        for (String pair : path.substring(query + 1).split("&")) {
            String[] parts = pair.split("=", 2);
            out.append(separator).append(encode(parts[0])).append('=').append(encode(parts.length > 1 ? parts[1] : ""));
            separator = '&';
        }
        return out.toString();
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static String text(Object body) {
        try {
            return body instanceof String raw ? raw : JSON.writeValueAsString(body);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private static Map<String, String> pairs(String... headers) {
        Map<String, String> out = new LinkedHashMap<>();
        for (int i = 0; i < headers.length; i += 2) {
            out.put(headers[i], headers[i + 1]);
        }
        return out;
    }
}
