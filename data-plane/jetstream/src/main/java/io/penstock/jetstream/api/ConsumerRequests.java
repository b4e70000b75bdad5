package io.penstock.jetstream.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.jetstream.JetStreamOptions;
import io.penstock.jetstream.runtime.ApiCall;
import io.penstock.jetstream.runtime.ConsumerRuntime;
import io.penstock.jetstream.runtime.StreamRuntime;
import io.penstock.jetstream.state.Headers;
import io.penstock.protocol.Subjects;
import io.penstock.protocol.jetstream.InvalidJsonException;
import io.penstock.protocol.jetstream.JetStreamJson;
import io.penstock.protocol.jetstream.JsError;
import java.util.ArrayList;
import java.util.List;

/** Requests that look at consumers, and requests for messages. */
final class ConsumerRequests {

    private final JetStreamOptions options;

    ConsumerRequests(JetStreamOptions options) {
        this.options = options;
    }

    void names(ApiCall call, String stream) throws InvalidJsonException {
        Requests.Paged request = JsApi.optional(call, Requests.Paged.class, options.strict());
        List<ConsumerRuntime> all = new ArrayList<>(JsApi.stream(call, stream).consumers());
        int from = StreamRequests.from(request.offset(), all.size());
        ObjectNode fields = StreamRequests.page(all.size(), from, Views.NAMES_PAGE);
        ArrayNode names = fields.putArray("consumers");
        StreamRequests.slice(all, from, Views.NAMES_PAGE).forEach(c -> names.add(c.name()));
        Responder.ok(call, "consumer_names_response", fields);
    }

    void list(ApiCall call, String stream) throws InvalidJsonException {
        Requests.Paged request = JsApi.optional(call, Requests.Paged.class, options.strict());
        StreamRuntime owner = JsApi.stream(call, stream);
        List<ConsumerRuntime> all = new ArrayList<>(owner.consumers());
        int from = StreamRequests.from(request.offset(), all.size());
        ObjectNode fields = StreamRequests.page(all.size(), from, Views.LIST_PAGE);
        ArrayNode list = fields.putArray("consumers");
        StreamRequests.slice(all, from, Views.LIST_PAGE)
                .forEach(c -> list.add(JetStreamJson.tree(Views.consumer(owner, c, false))));
        Responder.ok(call, "consumer_list_response", fields);
    }

    void info(ApiCall call, String stream, String name) {
        JsApi.expectEmpty(call);
        StreamRuntime owner = JsApi.stream(call, stream);
        Responder.ok(
                call, "consumer_info_response", JetStreamJson.tree(Views.consumer(owner, consumer(owner, name), true)));
    }

    static ConsumerRuntime consumer(StreamRuntime stream, String name) {
        ConsumerRuntime consumer = stream.consumer(name);
        if (consumer == null) {
            throw JsError.CONSUMER_NOT_FOUND.raise();
        }
        return consumer;
    }

    /** A pull request; without such a consumer nobody answers it, as if nobody listened. */
    void next(ApiCall call, String stream, String name) {
        if (call.reply() == null) {
            return;
        }
        StreamRuntime owner = call.account().stream(stream);
        ConsumerRuntime consumer = owner == null ? null : owner.consumer(name);
        if (consumer == null) {
            status(call, "503", "Nats-Subject: " + Subjects.toUtf8(call.subject()) + "\r\n");
        } else if (JsApi.levelTooHigh(call)) {
            status(call, "412 Required Api Level", "");
        } else {
            consumer.pull(call.reply(), call.body());
        }
    }

    private static void status(ApiCall call, String status, String lines) {
        call.account().send(call.reply(), null, Headers.status(status, lines), Headers.NONE);
    }
}
