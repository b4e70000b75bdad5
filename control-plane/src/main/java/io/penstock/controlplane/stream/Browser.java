package io.penstock.controlplane.stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.controlplane.broker.JetStream;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * Walks a stream by "the next message of this subject from this sequence", which the broker answers from its index. Backwards there
 * is no such question, so windows before the end are walked forwards: they grow while they hold too little and are halved when
 * they hold too much.
 */
@ApplicationScoped
public class Browser {
    /** Questions to the broker for one page. */
    private static final int BUDGET = 1_500;

    @Inject
    JetStream jetStream;

    /** What to read. `subject` may have wildcards. */
    record Query(String account, String stream, String subject, int preview) {}

    /** A page and the position after it, or null at the end. */
    record Result(List<Messages.Message> messages, String next) {}

    Result forward(Query query, long from, int size) {
        JsonNode state = state(query);
        long last = state.path("last_seq").asLong();
        List<Messages.Message> out = new ArrayList<>();
        long seq = Math.max(1, from);
        while (out.size() < size && seq <= last) {
            Optional<JsonNode> found = next(query, seq);
            if (found.isEmpty()) {
                return new Result(out, null);
            }
            out.add(Messages.view(found.get(), query.preview()));
            seq = found.get().path("seq").asLong() + 1;
        }
        return new Result(out, seq <= last && !out.isEmpty() ? Long.toString(seq) : null);
    }

    /** The newest `size` messages before `before`; 0 starts at the end. */
    Result backward(Query query, long before, int size) {
        JsonNode state = state(query);
        long first = Math.max(1, state.path("first_seq").asLong());
        long high = before == 0 ? state.path("last_seq").asLong() : before - 1;
        List<Messages.Message> out = new ArrayList<>();
        int budget = BUDGET;
        long width = size;
        while (out.size() < size && high >= first && budget > 0) {
            long low = Math.max(first, high - width + 1);
            List<JsonNode> window = new ArrayList<>();
            int allowed = Math.min(budget, Math.max(4 * size, 200));
            boolean complete = walk(query, low, high, allowed, window);
            budget -= window.size() + 1;
            if (!complete && low < high) {
                width = Math.max(1, (high - low + 1) / 2);
                continue;
            }
            Collections.reverse(window);
            for (JsonNode message : window) {
                if (out.size() < size) {
                    out.add(Messages.view(message, query.preview()));
                    high = message.path("seq").asLong() - 1;
                }
            }
            if (out.size() < size) {
                high = low - 1;
                width *= 4;
            }
        }
        return new Result(out, high >= first ? Long.toString(high + 1) : null);
    }

    /** Collects the messages from `low` to `high`; false when there are more than `most`. */
    private boolean walk(Query query, long low, long high, int most, List<JsonNode> into) {
        long seq = low;
        while (seq <= high) {
            Optional<JsonNode> found = next(query, seq);
            if (found.isEmpty() || found.get().path("seq").asLong() > high) {
                return true;
            }
            if (into.size() == most) {
                return false;
            }
            into.add(found.get());
            seq = found.get().path("seq").asLong() + 1;
        }
        return true;
    }

    private Optional<JsonNode> next(Query query, long seq) {
        ObjectNode question =
                JsonNodeFactory.instance.objectNode().put("seq", seq).put("next_by_subj", query.subject());
        return jetStream.message(query.account(), query.stream(), question);
    }

    private JsonNode state(Query query) {
        return jetStream.stream(query.account(), query.stream()).path("state");
    }
}
