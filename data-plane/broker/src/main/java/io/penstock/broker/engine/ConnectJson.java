package io.penstock.broker.engine;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.penstock.broker.ConnectRequest;
import java.io.IOException;
import java.util.Locale;

/** Reads the JSON of CONNECT, field by field and without a tree. */
final class ConnectJson {
    static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(16)
                    .maxStringLength(1024 * 1024)
                    .build())
            .build();

    private boolean verbose = true;
    private boolean pedantic = true;
    private boolean echo = true;
    private boolean tlsRequired;
    private boolean headers;
    private boolean noResponders;
    private boolean hasAccount;
    private int protocol;
    private String nkey;
    private String jwt;
    private String signature;
    private String token;
    private String user;
    private String password;
    private String name;
    private String language;
    private String version;
    private String proxySignature;

    private ConnectJson() {}

    /** @throws IOException when it is no JSON object or a field has the wrong type */
    static ConnectRequest read(byte[] bytes, int offset, int length) throws IOException {
        ConnectJson fields = new ConnectJson();
        try (JsonParser json = JSON.createParser(bytes, offset, length)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw new IOException("CONNECT is not followed by a JSON object");
            }
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String field = json.currentName().toLowerCase(Locale.ROOT);
                json.nextToken();
                fields.set(field, json);
            }
        }
        return fields.build();
    }

    private void set(String field, JsonParser json) throws IOException {
        switch (field) {
            case "verbose" -> verbose = flag(json, field);
            case "pedantic" -> pedantic = flag(json, field);
            case "echo" -> echo = flag(json, field);
            case "tls_required" -> tlsRequired = flag(json, field);
            case "headers" -> headers = flag(json, field);
            case "no_responders" -> noResponders = flag(json, field);
            case "account" -> hasAccount |= text(json, field) != null;
            case "new_account" -> hasAccount |= flag(json, field);
            case "protocol" -> protocol = number(json, field);
            case "nkey" -> nkey = text(json, field);
            case "jwt" -> jwt = text(json, field);
            case "sig" -> signature = text(json, field);
            case "auth_token" -> token = text(json, field);
            case "user" -> user = text(json, field);
            case "pass" -> password = text(json, field);
            case "name" -> name = text(json, field);
            case "lang" -> language = text(json, field);
            case "version" -> version = text(json, field);
            case "proxy_sig" -> proxySignature = text(json, field);
            default -> json.skipChildren();
        }
    }

    private static boolean flag(JsonParser json, String field) throws IOException {
        return switch (json.currentToken()) {
            case VALUE_TRUE -> true;
            case VALUE_FALSE, VALUE_NULL -> false;
            default -> throw new IOException("CONNECT field " + field + " is not a boolean");
        };
    }

    private static int number(JsonParser json, String field) throws IOException {
        if (json.currentToken() == JsonToken.VALUE_NULL) {
            return 0;
        }
        if (json.currentToken() != JsonToken.VALUE_NUMBER_INT) {
            throw new IOException("CONNECT field " + field + " is not a whole number");
        }
        return json.getIntValue();
    }

    /** Null for an absent or empty one. */
    private static String text(JsonParser json, String field) throws IOException {
        if (json.currentToken() == JsonToken.VALUE_NULL) {
            return null;
        }
        if (json.currentToken() != JsonToken.VALUE_STRING) {
            throw new IOException("CONNECT field " + field + " is not a string");
        }
        String text = json.getText();
        return text.isEmpty() ? null : text;
    }

    private ConnectRequest build() {
        return new ConnectRequest(
                false,
                verbose,
                pedantic,
                echo,
                tlsRequired,
                nkey,
                jwt,
                signature,
                token,
                user,
                password,
                name,
                language,
                version,
                protocol,
                hasAccount,
                headers,
                noResponders,
                proxySignature);
    }
}
