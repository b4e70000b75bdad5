package io.penstock.broker.permission;

import io.penstock.protocol.Subjects;
import java.util.ArrayList;
import java.util.List;

/**
 * What one user may publish and subscribe to. Immutable, pure and thread-safe.
 *
 * <p>Without an allow list everything is allowed; deny wins. A wildcard is allowed when it is a subset of an allowed
 * pattern, denied when it is a subset of a denied one; when it merely overlaps a denied one it is allowed, and the
 * messages in the overlap are kept back at delivery ({@link #denyFilter}). With a response permission nothing may be
 * published except what the allow list names and tracked replies.
 */
public final class Permissions {
    /** No restriction at all. */
    public static final Permissions ALL = new Permissions(SubjectPermission.ALL, SubjectPermission.ALL, null);

    private final SubjectPermission publish;
    private final SubjectPermission subscribe;
    private final ResponsePermission responses;
    private final boolean publishNeedsAllow;
    private final List<PatternEntry> subscribeAllow;
    private final List<PatternEntry> subscribeDeny;

    /** @param responses null when replies get no leave of their own */
    public Permissions(SubjectPermission publish, SubjectPermission subscribe, ResponsePermission responses) {
        this.publish = publish;
        this.subscribe = subscribe;
        this.responses = responses;
        this.publishNeedsAllow = responses != null || !publish.allow().isEmpty();
        this.subscribeAllow =
                subscribe.allow().stream().map(PatternEntry::parse).toList();
        this.subscribeDeny = subscribe.deny().stream().map(PatternEntry::parse).toList();
    }

    public SubjectPermission publish() {
        return publish;
    }

    public SubjectPermission subscribe() {
        return subscribe;
    }

    /** Leave to answer, or null. */
    public ResponsePermission responses() {
        return responses;
    }

    /** Whether any publish is free, so that nothing need be checked. */
    public boolean publishesFreely() {
        return !publishNeedsAllow && publish.deny().isEmpty();
    }

    /** Whether the lists let {@code subject} be published; tracked replies are the connection's business. */
    public boolean canPublish(String subject) {
        if (publishNeedsAllow && !anyCovers(publish.allow(), subject)) {
            return false;
        }
        return !anyCovers(publish.deny(), subject);
    }

    /** Whether {@code pattern} may be subscribed to, in {@code queue} or plainly (null). */
    public boolean canSubscribe(String pattern, String queue) {
        return isAllowed(pattern, queue) && !isDenied(pattern, queue);
    }

    /** What must be kept back from an allowed subscription, or null when nothing need be. */
    public DenyFilter denyFilter(String pattern, String queue) {
        if (subscribeDeny.isEmpty()) {
            return null;
        }
        List<String> overlapping = new ArrayList<>();
        for (PatternEntry entry : subscribeDeny) {
            boolean concerns = entry.queue() == null || (queue != null && entry.matchesQueue(queue));
            if (concerns && Subjects.overlap(entry.subject(), pattern)) {
                overlapping.add(entry.subject());
            }
        }
        return overlapping.isEmpty() ? null : new DenyFilter(overlapping);
    }

    /** Denials for messages that show another subject than the one they are routed by; null when there are none. */
    public DenyFilter shownSubjectFilter(String queue) {
        return denyFilter(">", queue);
    }

    private boolean isAllowed(String pattern, String queue) {
        if (subscribeAllow.isEmpty()) {
            return true;
        }
        boolean plain = false;
        boolean queueNamed = false;
        boolean queueMatches = false;
        for (PatternEntry entry : subscribeAllow) {
            if (!Subjects.isSubset(/* subset= */ pattern, /* pattern= */ entry.subject())) {
                continue;
            }
            if (entry.queue() == null) {
                plain = true;
            } else if (queue != null) {
                queueNamed = true;
                queueMatches |= entry.matchesQueue(queue);
            }
        }
        return queueNamed ? queueMatches : plain;
    }

    private boolean isDenied(String pattern, String queue) {
        for (PatternEntry entry : subscribeDeny) {
            boolean concerns = entry.queue() == null || (queue != null && entry.matchesQueue(queue));
            if (concerns && Subjects.isSubset(/* subset= */ pattern, /* pattern= */ entry.subject())) {
                return true;
            }
        }
        return false;
    }

    private static boolean anyCovers(List<String> patterns, String subject) {
        for (int i = 0; i < patterns.size(); i++) {
            if (Subjects.isSubset(subject, patterns.get(i))) {
                return true;
            }
        }
        return false;
    }
}
