package io.penstock.broker.auth;

import java.time.Duration;
import java.util.List;

/**
 * Permissions as written. An empty allow list allows everything; deny wins. Entries of the subscribe lists may be
 * {@code "subject queue"}.
 *
 * @param responses {@code allow_responses}, or null
 */
public record PermissionsConfig(
        List<String> publishAllow,
        List<String> publishDeny,
        List<String> subscribeAllow,
        List<String> subscribeDeny,
        Responses responses) {
    public PermissionsConfig {
        publishAllow = List.copyOf(publishAllow);
        publishDeny = List.copyOf(publishDeny);
        subscribeAllow = List.copyOf(subscribeAllow);
        subscribeDeny = List.copyOf(subscribeDeny);
    }

    /**
     * Leave to answer the reply subject of every message received.
     *
     * @param max answers per message; 1 by default, negative is unlimited
     * @param expires time to answer; 2 minutes by default, negative is for ever
     */
    public record Responses(int max, Duration expires) {
        /** {@code allow_responses: true}. */
        public static final Responses DEFAULT = new Responses(1, Duration.ofMinutes(2));
    }
}
