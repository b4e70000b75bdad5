package io.penstock.controlplane.sharing;

import io.penstock.claims.ActivationClaims;
import io.penstock.claims.InvalidTokenException;
import io.penstock.claims.JwtDecoder;
import io.penstock.controlplane.web.ErrorCode;
import io.penstock.controlplane.web.ProblemException;
import io.penstock.controlplane.web.SubjectPatterns;
import java.time.Instant;

/** Reads activation tokens that were given out by hand. Whether the exporter trusts their key only the broker knows. */
final class Activations {
    private Activations() {}

    /** Checks that the token lets the import happen; returns its end, or null. */
    static Instant check(String token, ImportEntity row, String importerPublicKey, Instant now) {
        ActivationClaims claims;
        try {
            claims = JwtDecoder.decodeActivation(token.trim());
        } catch (InvalidTokenException malformed) {
            throw wrong("it is no activation token: " + malformed.getMessage());
        }
        if (!claims.subject().equals(importerPublicKey)) {
            throw wrong("it is for another account than this one");
        }
        if (!claims.exporter().equals(row.remotePublicKey)) {
            throw wrong("it was given by another account than the one imported from");
        }
        if (!claims.kind().text().equals(row.type)) {
            throw wrong("it is for a " + claims.kind().text());
        }
        if (!SubjectPatterns.isWithin(row.subject, claims.importSubject())) {
            throw wrong("it allows " + claims.importSubject() + " only");
        }
        long end = claims.registered().expiresAt();
        if (end != 0 && end <= now.getEpochSecond()) {
            throw wrong("it has expired");
        }
        return end == 0 ? null : Instant.ofEpochSecond(end);
    }

    private static ProblemException wrong(String reason) {
        return ProblemException.invalidField(ErrorCode.VALIDATION_FAILED, "activation_token", "activation", reason);
    }
}
