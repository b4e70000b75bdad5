package io.penstock.accountservice.account;

import java.util.List;

/** What may be published and subscribed; all of it when nothing is said. */
public record PermissionsSpec(Rules publish, Rules subscribe, Responses responses) {
    /** Subjects allowed and denied. */
    public record Rules(List<String> allow, List<String> deny) {
        public Rules {
            allow = allow == null ? List.of() : allow;
            deny = deny == null ? List.of() : deny;
        }
    }

    /**
     * Leave to answer requests.
     *
     * @param max answers to a request, -1 for any number
     * @param ttlSeconds how long, -1 for ever
     */
    public record Responses(Long max, Long ttlSeconds) {}
}
