package io.penstock.accountservice.issue;

import java.time.Instant;

/**
 * A user token as it was issued.
 *
 * @param creds the whole credentials file when the key was made here, else null; not kept anywhere
 */
public record Issued(
        String issuanceId,
        String userPublicKey,
        String jti,
        String jwt,
        Instant issuedAt,
        Instant expiresAt,
        SecretText creds) {}
