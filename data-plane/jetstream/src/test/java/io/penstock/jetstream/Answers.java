package io.penstock.jetstream;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.Set;

/** What tests look at in answers of the API. */
final class Answers {
    private Answers() {}

    /** The code of the error, 0 when there is none. */
    static int error(JsonNode answer) {
        return answer.path("error").path("err_code").asInt();
    }

    /** The nodes that have a replica of the stream, by its INFO. */
    static Set<String> replicas(JsonNode info) {
        Set<String> names = new HashSet<>();
        names.add(info.path("cluster").path("leader").asText());
        info.path("cluster")
                .path("replicas")
                .forEach(r -> names.add(r.get("name").asText()));
        return names;
    }
}
