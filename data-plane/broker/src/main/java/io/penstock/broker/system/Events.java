package io.penstock.broker.system;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.penstock.broker.internal.EventIds;
import java.time.Instant;

/** What typed events have in common. */
final class Events {
    private Events() {}

    static ObjectNode header(String type, Instant now) {
        ObjectNode event = Json.object();
        event.put("type", type);
        event.put("id", EventIds.next());
        Json.putTime(event, "timestamp", now);
        return event;
    }
}
