package io.penstock.broker.permission;

import java.util.List;

/**
 * Subjects a user may and may not use. An empty allow list allows everything, deny wins. Entries are patterns; those for
 * subscribing may name a queue after a space ({@code "orders.> workers.*"}). Wire bytes as strings.
 */
public record SubjectPermission(List<String> allow, List<String> deny) {
    public static final SubjectPermission ALL = new SubjectPermission(List.of(), List.of());

    public SubjectPermission {
        allow = List.copyOf(allow);
        deny = List.copyOf(deny);
    }

    public boolean isUnlimited() {
        return allow.isEmpty() && deny.isEmpty();
    }
}
