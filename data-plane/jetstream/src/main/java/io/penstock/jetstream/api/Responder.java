package io.penstock.jetstream.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.jetstream.runtime.ApiCall;
import io.penstock.jetstream.state.Headers;
import io.penstock.jetstream.state.StreamSet;
import io.penstock.protocol.jetstream.ApiError;
import io.penstock.protocol.jetstream.GoTime;
import io.penstock.protocol.jetstream.JetStreamJson;

/** Writes the answers of the API: type, error, then the fields of the answer. */
public final class Responder {
    private static final String PREFIX = "io.nats.jetstream.api.v1.";

    private Responder() {}

    public static void ok(ApiCall call, String type, ObjectNode fields) {
        send(call, type, null, fields);
    }

    public static void success(ApiCall call, String type) {
        ok(call, type, JetStreamJson.object().put("success", true));
    }

    /** Tells why a record was refused; not that the stream is gone, in a cluster: who has it, or the metadata, knows. */
    static void refused(ApiCall call, String type, StreamSet.Refused refused) {
        if (refused != StreamSet.GONE || !call.account().host().clustered()) {
            error(call, type, refused.error());
        }
    }

    public static void error(ApiCall call, String type, ApiError error) {
        ObjectNode fields = JetStreamJson.object();
        switch (type) {
            case "stream_names_response", "stream_list_response" -> page(fields).putNull("streams");
            case "consumer_names_response", "consumer_list_response" ->
                page(fields).putArray("consumers");
            case "stream_info_response" -> page(fields);
            case "stream_restore_response" -> fields.put("deliver_subject", "");
            case "stream_purge_response" -> fields.put("purged", 0);
            case "consumer_pause_response" ->
                fields.put("paused", false).put("pause_until", GoTime.format(GoTime.ZERO));
            default -> {
                // The others have nothing beside the error.
            }
        }
        send(call, type, error, fields);
    }

    private static ObjectNode page(ObjectNode fields) {
        return fields.put("total", 0).put("offset", 0).put("limit", 0);
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
