package io.penstock.jetstream.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.jetstream.JetStreamOptions;
import io.penstock.jetstream.runtime.ApiCall;
import io.penstock.jetstream.runtime.StreamRuntime;
import io.penstock.protocol.SubjectFilter;
import io.penstock.protocol.Subjects;
import io.penstock.protocol.jetstream.InvalidJsonException;
import io.penstock.protocol.jetstream.JetStreamJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Requests that look at streams. */
final class StreamRequests {
    private static final int SUBJECTS_PAGE = 100_000;

    private final JetStreamOptions options;

    StreamRequests(JetStreamOptions options) {
        this.options = options;
    }

    void names(ApiCall call) throws InvalidJsonException {
        Requests.StreamsPaged request = JsApi.optional(call, Requests.StreamsPaged.class, options.strict());
        List<StreamRuntime> all = matching(call, request.subject());
        int from = from(request.offset(), all.size());
        ObjectNode fields = page(all.size(), from, Views.NAMES_PAGE);
        if (from > 0 && from == all.size()) {
            fields.putNull("streams");
            Responder.ok(call, "stream_names_response", fields);
            return;
        }
        ArrayNode names = fields.putArray("streams");
        slice(all, from, Views.NAMES_PAGE)
                .forEach(s -> names.add(s.machine().config().name()));
        Responder.ok(call, "stream_names_response", fields);
    }

    void list(ApiCall call) throws InvalidJsonException {
        Requests.StreamsPaged request = JsApi.optional(call, Requests.StreamsPaged.class, options.strict());
        List<StreamRuntime> all = matching(call, request.subject());
        int from = from(request.offset(), all.size());
        ObjectNode fields = page(all.size(), from, Views.LIST_PAGE);
        ArrayNode list = fields.putArray("streams");
        slice(all, from, Views.LIST_PAGE)
                .forEach(s -> list.add(JetStreamJson.tree(Views.stream(s, false, false, null, null))));
        Responder.ok(call, "stream_list_response", fields);
    }

    private static List<StreamRuntime> matching(ApiCall call, String subject) {
        List<StreamRuntime> all = new ArrayList<>(call.account().streams());
        if (subject != null && !subject.isEmpty()) {
            String wire = Subjects.fromUtf8(subject);
            all.removeIf(s -> s.machine().config().subjects().stream()
                    .noneMatch(own -> Subjects.overlap(Subjects.fromUtf8(own), wire)));
        }
        return all;
    }

    void info(ApiCall call, String name) throws InvalidJsonException {
        Requests.StreamInfoRequest request = JsApi.optional(call, Requests.StreamInfoRequest.class, options.strict());
        StreamRuntime stream = JsApi.stream(call, name);
        List<Long> deleted = null;
        if (request.deletedDetails()) {
            List<Long> missing = new ArrayList<>();
            stream.machine().store().deleted(missing::add);
            deleted = missing;
        }
        int total = 0;
        int limit = 0;
        int offset = 0;
        Map<String, Long> subjects = null;
        if (request.subjectsFilter() != null && !request.subjectsFilter().isEmpty()) {
            TreeMap<String, Long> all = new TreeMap<>();
            stream.machine()
                    .store()
                    .subjects(SubjectFilter.of(Subjects.fromUtf8(request.subjectsFilter())), (subject, state) -> {
                        all.put(Subjects.toUtf8(subject), state.messages());
                        return true;
                    });
            total = all.size();
            limit = total == 0 ? 0 : SUBJECTS_PAGE;
            offset = from(request.offset(), total);
            subjects = slice(all, offset);
        }
        ObjectNode fields = page(total, offset, limit);
        fields.setAll(JetStreamJson.tree(Views.stream(stream, true, true, subjects, deleted)));
        Responder.ok(call, "stream_info_response", fields);
    }

    private static Map<String, Long> slice(Map<String, Long> all, int offset) {
        if (all.isEmpty()) {
            return null;
        }
        if (offset == 0 && all.size() <= SUBJECTS_PAGE) {
            return all;
        }
        Map<String, Long> page = new TreeMap<>();
        all.entrySet().stream().skip(offset).limit(SUBJECTS_PAGE).forEach(e -> page.put(e.getKey(), e.getValue()));
        return page;
    }

    static int from(int offset, int total) {
        return Math.max(0, Math.min(offset, total));
    }

    static ObjectNode page(int total, int offset, int limit) {
        return JetStreamJson.object().put("total", total).put("offset", offset).put("limit", limit);
    }

    static <T> List<T> slice(List<T> all, int from, int limit) {
        return all.subList(from, Math.min(all.size(), from + limit));
    }
}
