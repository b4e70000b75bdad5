package io.penstock.controlplane.sharing;

import io.penstock.controlplane.web.ErrorCode;
import io.penstock.controlplane.web.ProblemException;
import io.penstock.controlplane.web.ProblemException.InvalidParameter;
import io.penstock.controlplane.web.SubjectPatterns;
import java.util.ArrayList;
import java.util.List;

/**
 * What exports and imports must satisfy, field by field and against their neighbours. Nothing that passes here may be refused when the
 * account is signed, since one bad part would hold up every change of the account. Pure.
 */
final class SharingRules {
    private SharingRules() {}

    static void check(ExportEntity row, List<ExportEntity> others, boolean wildcards) {
        List<InvalidParameter> wrong = new ArrayList<>();
        boolean service = "service".equals(row.type);
        subject("subject", row.subject, wrong);
        if (!wildcards && hasWildcards(row.subject)) {
            wrong.add(body("subject", "wildcards", "the account's limits do not allow exports with wildcards"));
        }
        if (!service && row.responseType != null) {
            wrong.add(body("response_type", "service", "only a service has a response type"));
        }
        if (!service && row.latencySubject != null) {
            wrong.add(body("service_latency", "service", "only a service has latency reports"));
        }
        if (!service && row.allowTrace) {
            wrong.add(body("allow_trace", "service", "only for the export of a service"));
        }
        if (row.latencySubject != null
                && (!SubjectPatterns.isPattern(row.latencySubject) || hasWildcards(row.latencySubject))) {
            wrong.add(body("service_latency.subject", "subject", "a subject without wildcards"));
        }
        tokenPosition(row, wrong);
        refuse(wrong);
        for (ExportEntity other : others) {
            if (!other.id.equals(row.id) && meet(row, other)) {
                throw ProblemException.invalidField(
                        ErrorCode.SUBJECT_OVERLAP,
                        "subject",
                        "overlap",
                        row.subject + " meets " + other.subject + " of the export " + other.name);
            }
        }
    }

    private static boolean meet(ExportEntity one, ExportEntity other) {
        if (!one.type.equals(other.type)) {
            return false;
        }
        boolean nested = SubjectPatterns.isWithin(one.subject, other.subject)
                || SubjectPatterns.isWithin(other.subject, one.subject);
        return one.subject.equals(other.subject) || ("service".equals(one.type) && nested);
    }

    private static void tokenPosition(ExportEntity row, List<InvalidParameter> wrong) {
        String[] tokens = row.subject.split("\\.", -1);
        int position = row.accountTokenPosition;
        boolean pointsToWildcard = position > 0 && position <= tokens.length && "*".equals(tokens[position - 1]);
        if (position != 0 && !pointsToWildcard) {
            wrong.add(
                    body("account_token_position", "wildcard", "the token at this position of the subject must be *"));
        }
    }

    static void check(ImportEntity row, List<ImportEntity> others) {
        List<InvalidParameter> wrong = new ArrayList<>();
        subject("subject", row.subject, wrong);
        if (row.localSubject != null) {
            localSubject(row.subject, row.localSubject, wrong);
        }
        if (row.shareConnectionInfo && !"service".equals(row.type)) {
            wrong.add(body("share_connection_info", "service", "only for the import of a service"));
        }
        if (row.allowTrace && !"stream".equals(row.type)) {
            wrong.add(body("allow_trace", "stream", "only for the import of a stream"));
        }
        refuse(wrong);
        for (ImportEntity other : others) {
            boolean same = !other.id.equals(row.id)
                    && other.type.equals(row.type)
                    && other.remotePublicKey.equals(row.remotePublicKey)
                    && other.local().equals(row.local());
            if (same && ("service".equals(row.type) || other.subject.equals(row.subject))) {
                throw ProblemException.invalidField(
                        ErrorCode.SUBJECT_OVERLAP,
                        "local_subject",
                        "overlap",
                        row.local() + " is imported from that account by " + other.name + " already");
            }
        }
    }

    /** Uses every wildcard of the subject once, by `*` in order or by `$1`. */
    private static void localSubject(String subject, String local, List<InvalidParameter> wrong) {
        subject("local_subject", local, wrong);
        if (endsOpen(subject) != endsOpen(local)) {
            wrong.add(body("local_subject", "wildcards", "ends with > exactly when the subject does"));
        }
        int wildcards = count(subject);
        int references = count(local);
        for (String token : local.split("\\.", -1)) {
            if (token.matches("\\$\\d{1,3}")) {
                references++;
                if (Integer.parseInt(token.substring(1)) > wildcards || "$0".equals(token)) {
                    wrong.add(body("local_subject", "wildcards", token + " is no wildcard of the subject"));
                }
            }
        }
        if (references != wildcards) {
            wrong.add(body("local_subject", "wildcards", "uses every * of the subject once, as * or $1"));
        }
    }

    private static int count(String subject) {
        int count = 0;
        for (String token : subject.split("\\.", -1)) {
            count += "*".equals(token) ? 1 : 0;
        }
        return count;
    }

    static boolean hasWildcards(String subject) {
        return count(subject) > 0 || endsOpen(subject);
    }

    private static boolean endsOpen(String subject) {
        return ">".equals(subject) || subject.endsWith(".>");
    }

    /** Any subject but those of the broker's own system. */
    private static void subject(String field, String subject, List<InvalidParameter> wrong) {
        if (!SubjectPatterns.isPattern(subject) || subject.startsWith("$SYS.") || subject.equals("$SYS")) {
            wrong.add(body(field, "subject", "a subject, not of $SYS"));
        }
    }

    private static void refuse(List<InvalidParameter> wrong) {
        if (!wrong.isEmpty()) {
            throw ProblemException.invalid(ErrorCode.VALIDATION_FAILED, wrong);
        }
    }

    private static InvalidParameter body(String field, String rule, String reason) {
        return new InvalidParameter(field, rule, reason, "body");
    }
}
