package io.penstock.claims;

import java.util.List;
import java.util.Map;

/**
 * What may be published and subscribed.
 *
 * @param publish rules for publishing
 * @param subscribe rules for subscribing; entries may be `subject queue`
 * @param responses leave to answer requests, or null for none
 */
public record Permissions(Rules publish, Rules subscribe, Responses responses) {
    /** Nothing said: all is allowed. */
    public static final Permissions NONE = new Permissions(Rules.NONE, Rules.NONE, null);

    /**
     * Subjects allowed and denied; denial wins, and an empty allow list allows all.
     *
     * @param allow subjects with wildcards
     * @param deny subjects with wildcards
     */
    public record Rules(List<String> allow, List<String> deny) {
        /** No rules. */
        public static final Rules NONE = new Rules(List.of(), List.of());

        public Rules {
            allow = List.copyOf(allow);
            deny = List.copyOf(deny);
        }

        public boolean isEmpty() {
            return allow.isEmpty() && deny.isEmpty();
        }

        static Rules read(JsonObject json) throws InvalidTokenException {
            return new Rules(json.strings("allow"), json.strings("deny"));
        }

        Map<String, Object> toJson() {
            return new JsonFields().put("allow", allow).put("deny", deny).toMap();
        }
    }

    /**
     * Leave to publish to the reply subjects of delivered messages.
     *
     * @param max messages a reply subject may get, negative for any number
     * @param ttlNanos how long after delivery in nanoseconds, negative for ever
     */
    public record Responses(long max, long ttlNanos) {}

    public boolean isEmpty() {
        return publish.isEmpty() && subscribe.isEmpty() && responses == null;
    }

    static Permissions read(JsonObject json) throws InvalidTokenException {
        Responses responses = null;
        if (json.has("resp")) {
            JsonObject resp = json.object("resp");
            responses = new Responses(resp.number("max"), resp.number("ttl"));
        }
        return new Permissions(Rules.read(json.object("pub")), Rules.read(json.object("sub")), responses);
    }

    void write(JsonFields fields) {
        fields.always("pub", publish.toJson()).always("sub", subscribe.toJson());
        if (responses != null) {
            fields.always("resp", Map.of("max", responses.max(), "ttl", responses.ttlNanos()));
        }
    }

    void validate(ValidationResults results) {
        publish.allow().forEach(subject -> checkSubject(subject, false, results));
        publish.deny().forEach(subject -> checkSubject(subject, false, results));
        subscribe.allow().forEach(subject -> checkSubject(subject, true, results));
        subscribe.deny().forEach(subject -> checkSubject(subject, true, results));
    }

    private static void checkSubject(String entry, boolean queueAllowed, ValidationResults results) {
        String[] parts = entry.split(" ", -1);
        if (parts.length > (queueAllowed ? 2 : 1) || entry.isEmpty()) {
            results.error(
                    "permission '" + entry + "' must be a subject" + (queueAllowed ? ", or subject and queue" : ""));
            return;
        }
        for (String part : parts) {
            SubjectRules.validate(part, results);
        }
    }
}
