package io.penstock.claims;

import java.util.Map;

/**
 * Message tracing of an account.
 *
 * @param destination subject the traces go to
 * @param sampling percent 1 to 100; 0 stands for 100
 */
public record MessageTrace(String destination, int sampling) {
    static MessageTrace read(JsonObject json) throws InvalidTokenException {
        return new MessageTrace(json.string("dest"), (int) json.number("sampling"));
    }

    Map<String, Object> toJson() {
        return new JsonFields()
                .put("dest", destination)
                .put("sampling", sampling)
                .toMap();
    }

    void validate(ValidationResults results) {
        SubjectRules.validate(destination, results);
        if (SubjectRules.hasWildcards(destination)) {
            results.error("the trace destination cannot have wildcards");
        }
        if (sampling < 0 || sampling > 100) {
            results.error("the trace sampling must be from 1 to 100, not " + sampling);
        }
    }
}
