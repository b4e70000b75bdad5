package io.penstock.broker.engine;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.penstock.broker.ServerIdentity;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The INFO line for one connection.
 *
 * @param clientIp null to leave out
 * @param nonce null to leave out
 * @param connectUrls empty to leave out
 * @param remoteAccount when this INFO answers CONNECT: the account; else null
 */
record InfoJson(
        ServerIdentity server,
        String host,
        int port,
        boolean headers,
        boolean authRequired,
        boolean tlsRequired,
        boolean tlsVerify,
        boolean tlsAvailable,
        int maxPayload,
        boolean jetStream,
        long clientId,
        String clientIp,
        String nonce,
        List<String> connectUrls,
        boolean lameDuck,
        String remoteAccount,
        boolean systemAccount) {

    private static final JsonFactory JSON = new JsonFactory();
    private static final String RUNTIME = "java" + Runtime.version().feature();

    byte[] line() {
        ByteArrayOutputStream out = new ByteArrayOutputStream(768);
        out.writeBytes("INFO ".getBytes(StandardCharsets.US_ASCII));
        try (JsonGenerator json = JSON.createGenerator(out)) {
            json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
            json.writeStartObject();
            writeServer(json);
            writeConnection(json);
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException("INFO could not be written", e);
        }
        out.write('\r');
        out.write('\n');
        return out.toByteArray();
    }

    private void writeServer(JsonGenerator json) throws IOException {
        json.writeStringField("server_id", server.id());
        json.writeStringField("server_name", server.name());
        json.writeStringField("version", server.version());
        json.writeNumberField("proto", 1);
        json.writeStringField("go", RUNTIME);
        json.writeStringField("host", host);
        json.writeNumberField("port", port);
        json.writeBooleanField("headers", headers);
        flag(json, "auth_required", authRequired);
        flag(json, "tls_required", tlsRequired);
        flag(json, "tls_verify", tlsVerify);
        flag(json, "tls_available", tlsAvailable);
        json.writeNumberField("max_payload", maxPayload);
        flag(json, "jetstream", jetStream);
    }

    private void writeConnection(JsonGenerator json) throws IOException {
        json.writeNumberField("client_id", clientId);
        text(json, "client_ip", clientIp);
        text(json, "nonce", nonce);
        text(json, "cluster", server.cluster());
        text(json, "domain", server.domain());
        if (!connectUrls.isEmpty()) {
            json.writeArrayFieldStart("connect_urls");
            for (String url : connectUrls) {
                json.writeString(url);
            }
            json.writeEndArray();
        }
        flag(json, "ldm", lameDuck);
        if (remoteAccount != null) {
            json.writeBooleanField("connect_info", true);
            json.writeStringField("remote_account", remoteAccount);
            flag(json, "acc_is_sys", systemAccount);
        }
        json.writeNumberField("api_lvl", ServerIdentity.API_LEVEL);
        text(json, "xkey", server.xkey());
        json.writeStringField("product", ServerIdentity.PRODUCT);
        json.writeStringField("product_version", server.productVersion());
    }

    private static void flag(JsonGenerator json, String name, boolean value) throws IOException {
        if (value) {
            json.writeBooleanField(name, true);
        }
    }

    private static void text(JsonGenerator json, String name, String value) throws IOException {
        if (value != null && !value.isEmpty()) {
            json.writeStringField(name, value);
        }
    }
}
