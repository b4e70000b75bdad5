package io.penstock.accountservice;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.MACSigner;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.eclipse.microprofile.config.ConfigProvider;

/** Talks to the service as the control plane does, and keeps every answer for the search for leaked seeds. */
final class TestingControlPlane {
    static final String BASE = "/internal/v1";

    private final HttpClient http = HttpClient.newHttpClient();
    private final ObjectMapper json = new ObjectMapper();
    private final byte[] secret;
    private final List<String> answers = new ArrayList<>();

    TestingControlPlane(byte[] secret) {
        this.secret = secret;
    }

    /** An answer. */
    record Answer(int status, JsonNode body) {
        String text(String field) {
            return body.path(field).asText(null);
        }
    }

    Answer get(String path) {
        return send("GET", path, null);
    }

    Answer put(String path, Object body) {
        return send("PUT", path, body);
    }

    Answer post(String path, Object body) {
        return send("POST", path, body);
    }

    Answer delete(String path) {
        return send("DELETE", path, null);
    }

    private Answer send(String method, String path, Object body) {
        byte[] bytes = bytes(body);
        String signedPath = path.contains("?") ? path.substring(0, path.indexOf('?')) : path;
        return send(method, path, bytes, sign(claims(method, BASE + signedPath, bytes)));
    }

    /** Sends with any statement, or none. */
    Answer send(String method, String path, byte[] body, String statement) {
        int port = ConfigProvider.getConfig().getValue("quarkus.http.test-port", Integer.class);
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + BASE + path))
                .method(
                        method,
                        body.length == 0
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofByteArray(body))
                .header("Content-Type", "application/json");
        if (statement != null) {
            request.header("Penstock-Statement", statement);
        }
        try {
            HttpResponse<String> response = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
            answers.add(response.body());
            return new Answer(response.statusCode(), json.readTree(response.body()));
        } catch (IOException e) {
            throw new IllegalStateException(method + " " + path + " failed", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** The readiness report, which needs no statement. */
    static JsonNode health() {
        int port = ConfigProvider.getConfig().getValue("quarkus.http.test-port", Integer.class);
        URI uri = URI.create("http://127.0.0.1:" + port + "/q/health/ready");
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<String> response =
                    client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
            return new ObjectMapper().readTree(response.body());
        } catch (IOException e) {
            throw new IllegalStateException("no health report", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Everything the service has answered so far. */
    List<String> answers() {
        return List.copyOf(answers);
    }

    byte[] bytes(Object body) {
        try {
            return body == null ? new byte[0] : json.writeValueAsBytes(body);
        } catch (IOException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** A statement's claims for a request, to be changed by tests that want them wrong. */
    Map<String, Object> claims(String method, String path, byte[] body) {
        long now = Instant.now().getEpochSecond();
        Map<String, Object> claims = new LinkedHashMap<>();
        claims.put("iss", "control-plane");
        claims.put("sub", "user_1");
        claims.put("act", "test");
        claims.put("htm", method);
        claims.put("htu", path);
        claims.put("bsh", bodyHash(body));
        claims.put("rid", UUID.randomUUID().toString());
        claims.put("iat", now);
        claims.put("exp", now + 60);
        return claims;
    }

    String sign(Map<String, Object> claims) {
        return sign(claims, secret);
    }

    static String sign(Map<String, Object> claims, byte[] key) {
        try {
            JWSObject jws = new JWSObject(new JWSHeader(JWSAlgorithm.HS256), new Payload(claims));
            jws.sign(new MACSigner(key));
            return jws.serialize();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String bodyHash(byte[] body) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(body);
            return new String(Base64.getUrlEncoder().withoutPadding().encode(hash), StandardCharsets.US_ASCII);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
