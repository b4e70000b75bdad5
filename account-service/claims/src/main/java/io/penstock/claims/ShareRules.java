package io.penstock.claims;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What imports and exports must satisfy within one account's claims. */
final class ShareRules {
    private ShareRules() {}

    static void validateImports(AccountClaims claims, Instant now, ValidationResults results) {
        Map<String, String> serviceSubjects = new HashMap<>();
        for (Import share : claims.imports()) {
            validateImport(share, claims.subject(), now, results);
            if (share.kind() == ShareKind.SERVICE) {
                String local = localServiceSubject(share);
                String previous = serviceSubjects.put(local, share.account());
                if (share.account().equals(previous)) {
                    results.error("duplicate service import subject '" + local
                            + "', previously used in import for account " + previous);
                }
            }
        }
    }

    /** The subject the importer's clients publish requests to. */
    private static String localServiceSubject(Import share) {
        if (!share.localSubject().isEmpty()) {
            return share.localSubject();
        }
        return share.subject();
    }

    private static void validateImport(Import share, String importer, Instant now, ValidationResults results) {
        String what = "import '" + share.subject() + "'";
        if (share.kind() == ShareKind.UNKNOWN) {
            results.error("invalid type of " + what);
        }
        if (!NKeys.isPublicKey(KeyType.ACCOUNT, share.account())) {
            results.error("account to import from of " + what + " is not an account public key");
        }
        SubjectRules.validate(share.subject(), results);
        if (!share.localSubject().isEmpty()) {
            validateLocalSubject(share, results);
        }
        if (share.share() && share.kind() != ShareKind.SERVICE) {
            results.error("sharing information is only valid for services, not for " + what);
        }
        if (share.allowTrace() && share.kind() != ShareKind.STREAM) {
            results.error("allow_trace is only valid for stream imports, not for " + what);
        }
        if (!share.token().isEmpty()) {
            validateActivation(share, importer, now, results);
        }
    }

    private static void validateLocalSubject(Import share, ValidationResults results) {
        String local = share.localSubject();
        if (!share.to().isEmpty()) {
            results.error("local_subject replaces to; import '" + share.subject() + "' has both");
        }
        if (local.indexOf(' ') >= 0) {
            results.error("local_subject '" + local + "' cannot have spaces");
        }
        if (SubjectRules.endsInFullWildcard(share.subject()) != SubjectRules.endsInFullWildcard(local)) {
            results.error("both, subject and local_subject, need to end with > or none: '" + local + "'");
        }
        int references = SubjectRules.tokenWildcards(local);
        int wildcards = SubjectRules.tokenWildcards(share.subject());
        for (String token : local.split("\\.", -1)) {
            if (token.matches("\\$\\d+")) {
                references++;
                if (token.length() > 4 || Integer.parseInt(token.substring(1)) > wildcards) {
                    results.error("reference " + token + " in '" + local + "' reference * in '" + share.subject()
                            + "' that do not exist");
                }
            }
        }
        if (references != wildcards) {
            results.error("local_subject '" + local + "' must use every wildcard of '" + share.subject() + "' once");
        }
    }

    private static void validateActivation(Import share, String importer, Instant now, ValidationResults results) {
        String what = "import '" + share.subject() + "'";
        if (!(decodeActivation(share.token()) instanceof ActivationClaims activation)) {
            results.error(what + " contains an invalid activation token");
            return;
        }
        if (!activation.exporter().equals(share.account())) {
            results.error("activation token doesn't match account of " + what);
        }
        if (!activation.subject().equals(importer)) {
            results.error("activation token doesn't match account it is being included in, " + what);
        }
        if (activation.kind() != share.kind()) {
            results.error("mismatch between token import type and type of " + what);
        }
        String subject = share.kind() == ShareKind.SERVICE && !share.to().isEmpty() ? share.to() : share.subject();
        if (!SubjectRules.isContainedIn(subject, activation.importSubject())) {
            results.error("activation token import subject '" + activation.importSubject() + "' doesn't match " + what);
        }
        // An expired activation disables the import, not the account: its clock findings are not ours.
        for (ValidationResults.Issue issue : activation.validate(now).issues()) {
            if (!issue.timeCheck()) {
                results.error(issue.description() + " in the activation of " + what);
            }
        }
    }

    private static Claims decodeActivation(String token) {
        try {
            return JwtDecoder.decode(token);
        } catch (InvalidTokenException e) {
            return null;
        }
    }

    static void validateExports(AccountClaims claims, ValidationResults results) {
        List<Export> exports = claims.exports();
        for (Export export : exports) {
            validateExport(export, results);
        }
        for (int i = 0; i < exports.size(); i++) {
            for (int j = i + 1; j < exports.size(); j++) {
                Export one = exports.get(i);
                Export other = exports.get(j);
                boolean services = one.kind() == ShareKind.SERVICE && other.kind() == ShareKind.SERVICE;
                boolean same = one.kind() == other.kind() && one.subject().equals(other.subject());
                boolean nested = SubjectRules.isContainedIn(one.subject(), other.subject())
                        || SubjectRules.isContainedIn(other.subject(), one.subject());
                if (same || (services && nested)) {
                    results.error("export subject '" + one.subject() + "' overlaps '" + other.subject() + "'");
                }
            }
        }
    }

    private static void validateExport(Export export, ValidationResults results) {
        String what = "export '" + export.subject() + "'";
        if (export.kind() == ShareKind.UNKNOWN) {
            results.error("invalid type of " + what);
        }
        SubjectRules.validate(export.subject(), results);
        boolean service = export.kind() == ShareKind.SERVICE;
        if (!service && (!export.responseType().isEmpty() || export.responseThresholdNanos() != 0)) {
            results.error("response type and threshold are only valid for services, not for " + what);
        }
        if (service && !List.of("", "Singleton", "Stream", "Chunked").contains(export.responseType())) {
            results.error("invalid response type '" + export.responseType() + "' of " + what);
        }
        if (export.responseThresholdNanos() < 0) {
            results.error("negative response threshold of " + what);
        }
        if (export.latency() != null) {
            if (!service) {
                results.error("latency tracking is only valid for services, not for " + what);
            }
            if (export.latency().sampling() < 0 || export.latency().sampling() > 100) {
                results.error("sampling of " + what + " must be a percentage or headers");
            }
            SubjectRules.validate(export.latency().results(), results);
        }
        if (export.allowTrace() && !service) {
            results.error("allow_trace is only valid for service exports, not for " + what);
        }
        validateTokenPosition(export, what, results);
    }

    private static void validateTokenPosition(Export export, String what, ValidationResults results) {
        int position = export.accountTokenPosition();
        if (position == 0) {
            return;
        }
        String[] tokens = export.subject().split("\\.", -1);
        if (position < 0 || position > tokens.length || !tokens[position - 1].equals("*")) {
            results.error("account_token_position " + position + " of " + what + " does not point to a * of it");
        }
    }
}
