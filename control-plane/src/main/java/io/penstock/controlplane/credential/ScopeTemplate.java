package io.penstock.controlplane.credential;

import java.util.List;

/** What users of a signing-key group may do. Null fields take the open default of {@link #everything}. */
public record ScopeTemplate(
        SubjectPermission publish,
        SubjectPermission subscribe,
        ResponsePermission responses,
        Long subscriptions,
        Long payloadBytes,
        Long dataBytes,
        List<String> connectionTypes,
        List<String> sourceCidrs,
        Boolean bearer) {

    /** Subjects; an empty allow list allows everything that is not denied. */
    public record SubjectPermission(List<String> allow, List<String> deny) {
        SubjectPermission withDefaults() {
            return new SubjectPermission(
                    allow == null ? List.of() : List.copyOf(allow), deny == null ? List.of() : List.copyOf(deny));
        }
    }

    /** Replies to what was received, however few subjects may be published to. */
    public record ResponsePermission(long max, String ttl) {}

    /** Everything in the account. */
    public static ScopeTemplate everything() {
        return new ScopeTemplate(null, null, null, null, null, null, null, null, null).withDefaults();
    }

    public ScopeTemplate withDefaults() {
        SubjectPermission open = new SubjectPermission(null, null);
        return new ScopeTemplate(
                (publish == null ? open : publish).withDefaults(),
                (subscribe == null ? open : subscribe).withDefaults(),
                responses,
                subscriptions == null ? -1 : subscriptions,
                payloadBytes == null ? -1 : payloadBytes,
                dataBytes == null ? -1 : dataBytes,
                connectionTypes == null ? List.of() : List.copyOf(connectionTypes),
                sourceCidrs == null ? List.of() : List.copyOf(sourceCidrs),
                bearer != null && bearer);
    }
}
