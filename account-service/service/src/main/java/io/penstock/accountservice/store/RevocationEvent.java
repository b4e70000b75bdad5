package io.penstock.accountservice.store;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;

/** An entry of the revocation log, which only grows; the latest entry of a key counts. */
@Entity
@Table(name = "revocation_event")
public class RevocationEvent {
    /** What happened. */
    public enum Kind {
        /** Tokens of the key issued until `revokedAt` are void. */
        REVOKED,
        /** The tenant took the revocation back. */
        LIFTED,
        /** Every token the revocation could concern has expired. */
        PRUNED
    }

    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    public Long id;

    @Column(name = "account_id")
    public String accountId;

    /** A user's public key, or `*`. */
    @Column(name = "user_public_key")
    public String userPublicKey;

    @Enumerated(EnumType.STRING)
    public Kind kind;

    /** Unix seconds. */
    @Column(name = "revoked_at")
    public long revokedAt;

    public String reason;
    public String actor;

    @Column(name = "created_at")
    public Instant createdAt;
}
