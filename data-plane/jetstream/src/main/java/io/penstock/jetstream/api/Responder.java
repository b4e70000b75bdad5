package io.penstock.jetstream.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.jetstream.runtime.ApiCall;
import io.penstock.jetstream.state.Headers;
import io.penstock.protocol.jetstream.ApiError;
import io.penstock.protocol.jetstream.JetStreamJson;

/** Writes the answers of the API: type, error, then the fields of the answer. */
final class Responder {
    private static final String PREFIX = "io.nats.jetstream.api.v1.";

    private Responder() {}

    static void ok(ApiCall call, String type, ObjectNode fields) {
        send(call, type, null, fields);
    }

    static void success(ApiCall call, String type) {
        ok(call, type, JetStreamJson.object().put("success", true));
    }

    static void error(ApiCall call, String type, ApiError error) {
        ObjectNode fields = JetStreamJson.object();
        if (type.endsWith("_names_response") || type.endsWith("_list_response")) {
            fields.put("total", 0).put("offset", 0).put("limit", 0);
            fields.putNull(type.startsWith("stream") ? "streams" : "consumers");
        }
        send(call, type, error, fields);
    }

    private static void send(ApiCall call, String type, ApiError error, ObjectNode fields) {
        ObjectNode response = JetStreamJson.object();
        response.put("type", PREFIX + type);
        if (error != null) {
            response.set("error", JetStreamJson.tree(error));
        }
        response.setAll(fields);
        byte[] bytes = JetStreamJson.write(response);
        call.account().countApi(error != null);
        if (call.reply() != null) {
            call.account().send(call.reply(), null, Headers.NONE, bytes);
        }
        call.account().advisories().audit(call, bytes);
    }
}
