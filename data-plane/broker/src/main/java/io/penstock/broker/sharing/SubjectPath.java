package io.penstock.broker.sharing;

import io.penstock.protocol.InvalidTransformException;
import io.penstock.protocol.SubjectTransform;
import io.penstock.protocol.Subjects;
import java.util.Objects;

/**
 * The way between a subject in the importing account and the same subject in the exporting one. Both ways are always
 * possible, since every wildcard of one side stands on the other. Immutable; strings are wire bytes.
 */
public final class SubjectPath {
    private final String local;
    private final String remote;
    private final boolean same;
    private final SubjectTransform toRemote;
    private final SubjectTransform toLocal;

    private SubjectPath(SubjectTransform toRemote, SubjectTransform toLocal) {
        this.toRemote = toRemote;
        this.toLocal = toLocal;
        this.local = toRemote.source();
        this.remote = toLocal.source();
        this.same = local.equals(remote) && toRemote.apply(local, bound -> 0).equals(local) && !reorders(toRemote);
    }

    /**
     * A path between two patterns. Either may refer to the wildcards of the other with {@code $n}; where neither does,
     * wildcards belong together in their order.
     */
    public static SubjectPath between(String local, String remote) throws InvalidTransformException {
        if (hasReference(remote)) {
            SubjectTransform toRemote = SubjectTransform.reversible(local, numbered(remote));
            return new SubjectPath(toRemote, toRemote.reverse());
        }
        SubjectTransform toLocal = SubjectTransform.reversible(remote, numbered(local));
        return new SubjectPath(toLocal.reverse(), toLocal);
    }

    private static boolean reorders(SubjectTransform transform) {
        int expected = 1;
        for (String token : transform.destination().split("\\.", -1)) {
            if (isReference(token) && Integer.parseInt(token.substring(1)) != expected++) {
                return true;
            }
        }
        return false;
    }

    private static boolean hasReference(String pattern) {
        for (String token : pattern.split("\\.", -1)) {
            if (isReference(token)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isReference(String token) {
        return token.length() > 1
                && token.length() < 6
                && token.charAt(0) == '$'
                && token.chars().skip(1).allMatch(c -> c >= '0' && c <= '9');
    }

    // The n-th * becomes $n, so that the pattern can be the destination of a transform.
    private static String numbered(String pattern) {
        StringBuilder result = new StringBuilder();
        int count = 0;
        for (String token : pattern.split("\\.", -1)) {
            result.append(token.equals("*") ? "$" + ++count : token).append('.');
        }
        result.setLength(result.length() - 1);
        return result.toString();
    }

    /** Pattern in the importing account. */
    public String local() {
        return local;
    }

    /** Pattern in the exporting account. */
    public String remote() {
        return remote;
    }

    /** The exporter's subject for a literal subject of the importer, which must match {@link #local}. */
    String toRemote(String subject) {
        return same ? subject : toRemote.applyMatched(subject, bound -> 0);
    }

    /** The importer's subject for a literal subject of the exporter, which must match {@link #remote}. */
    String toLocal(String subject) {
        return same ? subject : toLocal.applyMatched(subject, bound -> 0);
    }

    /** What a subscription to {@code pattern} in the importer is in the exporter; null when they do not meet. */
    String remotePattern(String pattern) {
        String common = intersection(pattern, local);
        return common == null ? null : toRemote.applyMatched(common, bound -> 0);
    }

    /** The pattern of all subjects that match both; null when there are none. */
    static String intersection(String a, String b) {
        if (!Subjects.overlap(a, b)) {
            return null;
        }
        String[] left = a.split("\\.", -1);
        String[] right = b.split("\\.", -1);
        StringBuilder result = new StringBuilder();
        for (int i = 0; i < Math.max(left.length, right.length); i++) {
            boolean leftRest = i >= left.length || (left[i].equals(">") && i == left.length - 1);
            boolean rightRest = i >= right.length || (right[i].equals(">") && i == right.length - 1);
            String token;
            if (leftRest && rightRest) {
                result.append(">.");
                break;
            } else if (leftRest) {
                token = right[i];
            } else if (rightRest) {
                token = left[i];
            } else {
                token = left[i].equals("*") ? right[i] : left[i];
            }
            result.append(token).append('.');
        }
        result.setLength(result.length() - 1);
        return result.toString();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SubjectPath path
                && local.equals(path.local)
                && remote.equals(path.remote)
                && toRemote.destination().equals(path.toRemote.destination());
    }

    @Override
    public int hashCode() {
        return Objects.hash(local, remote, toRemote.destination());
    }

    @Override
    public String toString() {
        return remote + " as " + local;
    }
}
