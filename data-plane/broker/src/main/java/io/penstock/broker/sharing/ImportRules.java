package io.penstock.broker.sharing;

import io.penstock.claims.ActivationClaims;
import io.penstock.claims.InvalidTokenException;
import io.penstock.claims.JwtDecoder;
import io.penstock.protocol.Subjects;
import java.time.Instant;

/** Decides whether an exporting account allows an import. Pure. */
final class ImportRules {
    private ImportRules() {}

    /**
     * Holds an import against the exports of the account it names.
     *
     * @param exporter what that account shares, null when it is not known
     */
    static Resolution resolve(String importer, ImportSpec wanted, SharingSpec exporter, Instant now) {
        if (wanted.exporter().equals(importer)) {
            return new Resolution.Refused("an account cannot import from itself");
        }
        if (exporter == null) {
            return new Resolution.Missing();
        }
        ExportSpec export = find(wanted, exporter);
        if (export == null) {
            return new Resolution.Refused("account " + wanted.exporter() + " exports no " + word(wanted.kind())
                    + " that covers \"" + wanted.path().remote() + "\"");
        }
        if (isNamed(importer, export) || isPublic(export)) {
            return new Resolution.Active(export, 0);
        }
        if (export.accountTokenPosition() > 0) {
            String[] tokens = wanted.path().remote().split("\\.", -1);
            int index = export.accountTokenPosition() - 1;
            if (index >= tokens.length || !tokens[index].equals(importer)) {
                return new Resolution.Refused("token " + export.accountTokenPosition() + " of \""
                        + wanted.path().remote() + "\" must be the importing account");
            }
            if (!export.tokenRequired()) {
                return new Resolution.Active(export, 0);
            }
        }
        return export.tokenRequired()
                ? byActivation(importer, wanted, export, exporter, now)
                : new Resolution.Refused("the export is for other accounts");
    }

    private static ExportSpec find(ImportSpec wanted, SharingSpec exporter) {
        ExportSpec covering = null;
        for (ExportSpec export : exporter.exports()) {
            if (export.kind() != wanted.kind()) {
                continue;
            }
            if (export.subject().equals(wanted.path().remote())) {
                return export;
            }
            // Of several that cover it the narrowest speaks.
            if (Subjects.isSubset(wanted.path().remote(), export.subject())
                    && (covering == null || Subjects.isSubset(export.subject(), covering.subject()))) {
                covering = export;
            }
        }
        return covering;
    }

    private static boolean isNamed(String importer, ExportSpec export) {
        return export.accounts() != null && export.accounts().contains(importer);
    }

    private static boolean isPublic(ExportSpec export) {
        return export.accounts() == null && !export.tokenRequired() && export.accountTokenPosition() == 0;
    }

    private static Resolution byActivation(
            String importer, ImportSpec wanted, ExportSpec export, SharingSpec exporter, Instant now) {
        ActivationClaims activation;
        try {
            if (wanted.token().isEmpty()) {
                return new Resolution.Refused("the export needs an activation token and the import has none");
            }
            activation = JwtDecoder.decodeActivation(wanted.token());
        } catch (InvalidTokenException e) {
            return new Resolution.Refused("the activation token is invalid: " + e.getMessage());
        }
        if (!activation.subject().equals(importer)) {
            return new Resolution.Refused("the activation is for another account");
        }
        if (!activation.exporter().equals(wanted.exporter())
                || !exporter.signingKeys().contains(activation.issuer())) {
            return new Resolution.Refused("the activation is not signed by the exporting account");
        }
        if (activation.validate(now).isBlocking(true)) {
            return new Resolution.Refused("the activation is not valid: " + activation.validate(now));
        }
        if (!activation.kind().name().equals(wanted.kind().name())
                || !Subjects.isSubset(wanted.path().remote(), Subjects.fromUtf8(activation.importSubject()))) {
            return new Resolution.Refused("the activation is for " + activation.importSubject());
        }
        if (export.revocations().isRevoked(importer, activation.registered().issuedAt())) {
            return new Resolution.Refused("the activation has been revoked");
        }
        return new Resolution.Active(export, activation.registered().expiresAt());
    }

    static String word(ShareKind kind) {
        return kind == ShareKind.STREAM ? "stream" : "service";
    }
}
